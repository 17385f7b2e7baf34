import type { Command } from "../command.js"

/** The commands about settings. */
export const configCommands: readonly Command[] = [
  {
    name: "get",
    about: "The value that holds; all values without KEY",
    operands: "[KEY]",
    count: [0, 1],
    completes: "setting",
    options: ["root"],
    load: () => import("./get.js"),
  },
  {
    name: "set",
    about: "Set a value in your configuration",
    operands: "KEY VALUE",
    count: [2, 2],
    completes: "setting",
    options: ["root", "scope"],
    examples: ["haft config set mode plan", "haft config set limits.grep 50 --scope project"],
    load: () => import("./set.js"),
  },
  {
    name: "explain",
    about: "Which file won, and what was ignored",
    operands: "KEY",
    count: [1, 1],
    completes: "setting",
    options: ["root", "mode", "toolset"],
    load: () => import("./explain.js"),
  },
]
