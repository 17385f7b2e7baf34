import type { Command } from "../command.js"

/** The commands about extensions. Each grant is a command of its own. */
export const extensionCommands: readonly Command[] = [
  {
    name: "list",
    about: "The installed extensions, and what each may do",
    load: () => import("./list.js"),
  },
  {
    name: "add",
    about: "Copy an extension into Haft's state; nothing of it runs",
    operands: "FOLDER",
    count: [1, 1],
    completes: "file",
    options: ["link"],
    examples: ["haft extension add ./notes", "haft extension add ./notes --link"],
    load: () => import("./add.js"),
  },
  {
    name: "enable",
    about: "Let an extension bring its tools, as its files are now",
    operands: "ID",
    count: [1, 1],
    options: ["grant-net"],
    examples: ["haft extension enable notes", "haft extension enable notes --grant-net api.example.org"],
    load: () => import("./enable.js"),
  },
  {
    name: "disable",
    about: "Take its tools and its hosts away; the files stay",
    operands: "ID",
    count: [1, 1],
    load: () => import("./disable.js"),
  },
  {
    name: "remove",
    about: "Delete an extension",
    operands: "ID",
    count: [1, 1],
    load: () => import("./remove.js"),
  },
]
