import type { Command } from "../command.js"

/** The commands about rules. */
export const ruleCommands: readonly Command[] = [
  {
    name: "list",
    about: "The rules that hold here, with their source",
    options: ["root", "defaults"],
    load: () => import("./list.js"),
  },
  {
    name: "add",
    about: "Add a rule to your configuration",
    operands: "ACTION RULE",
    count: [2, 2],
    completes: ["allow", "deny", "ask"],
    options: ["root", "scope", "why"],
    examples: ["haft rule add allow 'fs.write(src/**)'", "haft rule add deny 'fs.read(**/*.sqlite)' --scope project"],
    load: () => import("./add.js"),
  },
  {
    name: "remove",
    about: "Remove a rule from your configuration",
    operands: "[ACTION] RULE",
    count: [1, 2],
    completes: ["allow", "deny", "ask"],
    options: ["root", "scope"],
    load: () => import("./remove.js"),
  },
  {
    name: "import",
    about: "Translate the permission settings of another program",
    operands: "PROGRAM",
    count: [1, 1],
    completes: ["claude", "opencode", "codex", "zed", "cursor", "claw"],
    options: ["root", "write"],
    examples: ["haft rule import claude", "haft rule import opencode --write"],
    load: () => import("./import.js"),
  },
  {
    name: "test",
    about: "Check every rule against its own samples",
    options: ["root"],
    load: () => import("./test.js"),
  },
]
