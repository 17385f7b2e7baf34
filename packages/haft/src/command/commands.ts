import { boxCommands } from "./box/box-commands.js"
import type { Command } from "./command.js"
import { configCommands } from "./config/config-commands.js"
import { extensionCommands } from "./extension/extension-commands.js"
import { mcpCommands, serving } from "./mcp/mcp-commands.js"
import { ruleCommands } from "./rule/rule-commands.js"
import { sessionCommands } from "./session/session-commands.js"
import { skillCommands } from "./skill/skill-commands.js"
import { toolCommands } from "./tool/tool-commands.js"

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

const asking = [...judging, "model", "base-url", "file", "max-steps", "max-cost", "max-time", "record"] as const

// An editor names its session and its person answers.
const editing = asking.filter((name) => !["session", "headless", "file", "record"].includes(name))

/** The whole command line, in the order of its help. */
export const commands: readonly Command[] = [
  {
    name: "call",
    about: "Run one tool through the whole ladder of checks",
    operands: "TOOL [VALUE] [key=value ...]",
    count: [1, 1000],
    completes: "tool",
    options: [...judging, "new-session", "args", "yes", "dry-run", "propagate-exit"],
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
    operands: "TOOL [VALUE] [key=value ...]",
    count: [1, 1000],
    completes: "tool",
    options: [...judging, "new-session", "args", "dry-run"],
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
  {
    name: "chat",
    about: "Talk with a model that has the tools",
    operands: "[PROMPT]",
    count: [0, 1000],
    options: asking,
    examples: ["haft chat --model ollama:qwen3:8b", "haft chat --session ses_..."],
    load: () => import("./chat.js"),
  },
  {
    name: "serve",
    about: "The workbench in your browser, and the HTTP API",
    options: [
      ...judging.filter((name) => name !== "session"),
      ...(["model", "base-url", "port", "token", "open", "demo"] as const),
    ],
    examples: ["haft serve --open", "haft serve --root . --mode plan --port 0"],
    load: () => import("./serve.js"),
  },
  {
    name: "acp",
    about: "Let an editor drive an agent, over the Agent Client Protocol",
    options: [...editing, "print-config", "attach"],
    examples: ["haft acp --print-config zed", "haft acp --model anthropic:claude-sonnet-4-5"],
    load: () => import("./acp.js"),
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
  {
    name: "mcp",
    about: "Serve the tools to MCP clients; foreign MCP servers, their tools as ours",
    options: [...serving, "session", "http", "token"],
    examples: ["haft mcp --root ~/project", "haft mcp --dialect claw --tools read_file,bash", "haft mcp --http 4178"],
    commands: mcpCommands,
    load: () => import("./mcp/serve.js"),
  },
  { name: "tool", about: "For people who write tools", commands: toolCommands },
  { name: "extension", about: "Tools of others that run in a sandbox of their own", commands: extensionCommands },
  { name: "box", about: "Machines for commands that are not trusted", commands: boxCommands },
  {
    name: "init",
    about: "Find what other programs left here: permissions, MCP servers, skills, instructions",
    count: [0, 0],
    options: ["root", "write"],
    examples: ["haft init", "haft init --write"],
    load: () => import("./init.js"),
  },
  {
    name: "doctor",
    about: "Check this machine and this set-up",
    options: ["root", "install"],
    load: () => import("./doctor.js"),
  },
  {
    name: "completion",
    about: "Print a completion script for a shell, or install it for yours",
    operands: "SHELL or install [SHELL]",
    count: [1, 2],
    completes: ["bash", "zsh", "fish", "pwsh", "install"],
    examples: ["haft completion install", 'eval "$(haft completion bash)"'],
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
