import { boxCommands } from "./box/box-commands.js"
import type { Command } from "./command.js"
import { skillCommands } from "./skill/skill-commands.js"

const judging = [
  "root",
  "allow",
  "deny",
  "ask",
  "mode",
  "policy",
  "toolset",
  "dialect",
  "sandbox",
  "grant-net",
  "env",
  "env-secret",
  "session",
  "headless",
] as const

const sessionCommands: readonly Command[] = [
  {
    name: "list",
    about: "Sessions, newest first",
    options: ["all", "limit"],
    load: () => import("./session/list.js"),
  },
  {
    name: "show",
    about: "What happened in a session, call by call",
    operands: "ID",
    count: [1, 1],
    load: () => import("./session/show.js"),
  },
  {
    name: "replay",
    about: "Print the recorded results again; no tool runs",
    operands: "ID",
    count: [1, 1],
    load: () => import("./session/replay.js"),
  },
  {
    name: "export",
    about: "Write a session as JSON lines",
    operands: "ID",
    count: [1, 1],
    options: ["output"],
    load: () => import("./session/export.js"),
  },
  {
    name: "verify",
    about: "Check that no record was changed or removed",
    operands: "ID",
    count: [1, 1],
    load: () => import("./session/verify.js"),
  },
  {
    name: "remove",
    about: "Delete a session with its records and files",
    operands: "ID...",
    count: [1, 1000],
    load: () => import("./session/remove.js"),
  },
]

const ruleCommands: readonly Command[] = [
  {
    name: "list",
    about: "The rules that hold here, with their source",
    options: ["root", "defaults"],
    load: () => import("./rule/list.js"),
  },
  {
    name: "add",
    about: "Add a rule to your configuration",
    operands: "ACTION RULE",
    count: [2, 2],
    completes: ["allow", "deny", "ask"],
    options: ["root", "scope", "why"],
    examples: ["haft rule add allow 'fs.write(src/**)'", "haft rule add deny 'fs.read(**/*.sqlite)' --scope project"],
    load: () => import("./rule/add.js"),
  },
  {
    name: "remove",
    about: "Remove a rule from your configuration",
    operands: "[ACTION] RULE",
    count: [1, 2],
    completes: ["allow", "deny", "ask"],
    options: ["root", "scope"],
    load: () => import("./rule/remove.js"),
  },
  {
    name: "test",
    about: "Check every rule against its own samples",
    options: ["root"],
    load: () => import("./rule/test.js"),
  },
]

const configCommands: readonly Command[] = [
  {
    name: "get",
    about: "The value that holds; all values without KEY",
    operands: "[KEY]",
    count: [0, 1],
    completes: "setting",
    options: ["root"],
    load: () => import("./config/get.js"),
  },
  {
    name: "set",
    about: "Set a value in your configuration",
    operands: "KEY VALUE",
    count: [2, 2],
    completes: "setting",
    options: ["root", "scope"],
    examples: ["haft config set mode plan", "haft config set limits.grep 50 --scope project"],
    load: () => import("./config/set.js"),
  },
  {
    name: "explain",
    about: "Which file won, and what was ignored",
    operands: "KEY",
    count: [1, 1],
    completes: "setting",
    options: ["root", "mode", "toolset"],
    load: () => import("./config/explain.js"),
  },
]

const asking = [...judging, "model", "base-url", "file", "max-steps", "max-cost", "max-time", "record"] as const

/** The whole command line, in the order of its help. */
export const commands: readonly Command[] = [
  {
    name: "call",
    about: "Run one tool through the whole ladder of checks",
    operands: "TOOL [key=value ...]",
    count: [1, 1000],
    completes: "tool",
    options: [...judging, "args", "yes", "dry-run", "propagate-exit"],
    examples: [
      "haft call grep pattern=TODO glob='**/*.ts'",
      "haft call write file_path=a.txt content=- < b.txt",
      'haft call todo --args \'{"todos":[{"content":"Test it","status":"pending"}]}\' --json',
    ],
    load: () => import("./call.js"),
  },
  {
    name: "explain",
    about: "Why a call would be allowed, asked about or refused; nothing runs",
    operands: "TOOL [key=value ...]",
    count: [1, 1000],
    completes: "tool",
    options: [...judging, "args", "dry-run"],
    examples: ["haft explain write file_path=x.ts content=y"],
    load: () => import("./explain.js"),
  },
  {
    name: "tools",
    about: "The tools, or one of them",
    operands: "[NAME]",
    count: [0, 1],
    completes: "tool",
    options: ["toolset", "dialect", "format", "cost"],
    examples: ["haft tools grep", "haft tools --format anthropic --toolset locked"],
    load: () => import("./tools.js"),
  },
  {
    name: "run",
    about: "Let a model do something with the tools, to its end",
    operands: "PROMPT",
    count: [0, 1000],
    options: asking,
    examples: [
      "haft run 'Which tests are slow?' --model anthropic:claude-sonnet-4-5",
      "git diff | haft run 'Review this' --max-cost 0.50",
      "haft run --model script:tour.jsonl 'Show me' --ndjson",
    ],
    load: () => import("./run.js"),
  },
  { name: "session", about: "The journal: what tools did", commands: sessionCommands },
  {
    name: "undo",
    about: "Take back the file effects of the last call here, or of that call",
    operands: "[CALL]",
    count: [0, 1],
    options: ["root"],
    load: () => import("./undo.js"),
  },
  { name: "rule", about: "The rules: who may do what", commands: ruleCommands },
  { name: "config", about: "The settings", commands: configCommands },
  {
    name: "trust",
    about: "Let the files of a folder widen what is allowed there",
    operands: "[DIR]",
    count: [0, 1],
    completes: "file",
    options: ["remove", "list"],
    load: () => import("./trust.js"),
  },
  { name: "skill", about: "What can be learned on demand", commands: skillCommands },
  { name: "box", about: "Machines for commands that are not trusted", commands: boxCommands },
  {
    name: "doctor",
    about: "Check this machine and this set-up",
    options: ["root", "install"],
    load: () => import("./doctor.js"),
  },
  {
    name: "completion",
    about: "Print a completion script for a shell",
    operands: "SHELL",
    count: [1, 1],
    completes: ["bash", "zsh", "fish", "pwsh"],
    examples: ['eval "$(haft completion bash)"'],
    load: () => import("./completion.js"),
  },
  {
    name: "help",
    about: "Help for a command",
    operands: "[COMMAND]",
    count: [0, 2],
    completes: "command",
    load: () => import("./help.js"),
  },
  { name: "version", about: "The version", load: () => import("./version.js") },
]
