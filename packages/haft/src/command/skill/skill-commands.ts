import type { Command } from "../command.js"

/** The commands about skills. */
export const skillCommands: readonly Command[] = [
  {
    name: "list",
    about: "The skills that a session would be offered here",
    options: ["root"],
    load: () => import("./list.js"),
  },
  {
    name: "show",
    about: "One skill: where it is from, what it asks for, its text",
    operands: "NAME",
    count: [1, 1],
    completes: "skills",
    options: ["root"],
    load: () => import("./show.js"),
  },
  {
    name: "check",
    about: "Check a SKILL.md, or every one below a folder",
    operands: "PATH",
    count: [1, 1],
    completes: "file",
    examples: ["haft skill check .agents/skills/release-notes", "haft skill check .agents/skills"],
    load: () => import("./check.js"),
  },
]
