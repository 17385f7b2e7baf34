import type { Command } from "../command.js"

/** The commands for people who write tools. */
export const toolCommands: readonly Command[] = [
  {
    name: "new",
    about: "Write a package with a tool of your own, to begin with",
    operands: "NAME",
    count: [1, 1],
    examples: ["haft tool new line-count"],
    load: () => import("./new.js"),
  },
  {
    name: "check",
    about: "Go through the conformance points with a tool package; exit 7 when one fails",
    operands: "PATH",
    count: [1, 1],
    completes: "file",
    examples: ["haft tool check ./line-count"],
    load: () => import("./check.js"),
  },
]
