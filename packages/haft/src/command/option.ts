import { locales } from "@haft/contract"
import { modes, sandboxes } from "../config/setting.js"
import { colorChoices } from "../terminal/style.js"

/** Editors whose configuration can be printed. */
const editors = ["zed", "jetbrains", "neovim"] as const

/** One option; it means the same wherever it is taken. */
export interface Option {
  readonly about: string
  /** The placeholder of its value in help; absent for a switch. */
  readonly value?: string
  readonly repeat?: true
  readonly choices?: readonly string[]
  readonly short?: string
}

/** Every option of the command line, by name. */
export const options: Readonly<Record<string, Option>> = {
  root: { value: "DIR", repeat: true, about: "A folder that tools may reach (repeatable); the current one by default" },
  allow: {
    value: "RULE",
    repeat: true,
    about: "Allow permission(pattern), for instance 'fs.write(src/**)' (repeatable)",
  },
  deny: { value: "RULE", repeat: true, about: "Deny permission(pattern) (repeatable)" },
  ask: { value: "RULE", repeat: true, about: "Ask before permission(pattern) (repeatable)" },
  mode: { value: "MODE", choices: modes, about: "How to treat what no rule settles" },
  policy: {
    value: "SYSTEM:MODE",
    choices: [
      ...["claw:read-only", "claw:workspace-write", "claw:danger-full-access", "claw:prompt", "claw:allow"],
      ...["a3s:ask", "a3s:allow", "a3s:deny"],
      ...["lobe:manual", "lobe:auto-run", "lobe:allow-list", "lobe:headless"],
    ],
    about: "Permissions of another system, as its own mode says them",
  },
  toolset: { value: "NAMES", about: "Only these toolsets: a name or a comma list" },
  tools: { value: "NAMES", about: "Only these tools: a comma list" },
  http: { value: "PORT", about: "Listen on this port of this machine alone, instead of standard input" },
  token: { value: "TOKEN", about: "What clients must send; a new one is made and printed by default" },
  dialect: {
    value: "NAME",
    choices: ["haft", "asyar", "claw", "a3s", "lobe", "anthropic", "openai"],
    about: "Names and shapes of another system",
  },
  sandbox: { value: "POLICY", choices: sandboxes, about: "Whether commands must be confined; required by default" },
  "grant-net": {
    value: "HOST[:PORT]",
    repeat: true,
    about: "Let commands reach this host, also a loopback or private one (repeatable)",
  },
  env: { value: "NAME", repeat: true, about: "Let commands have this environment variable (repeatable)" },
  "env-secret": { value: "NAME", repeat: true, about: "The same for one whose value is a secret (repeatable)" },
  model: { value: "PROVIDER:NAME", about: "The model; script:FILE replays a file and needs no key" },
  "base-url": { value: "URL", about: "Address of the model's provider, where it is not its own" },
  file: { value: "PATH", repeat: true, about: "Send this text, image or PDF with the prompt (repeatable)" },
  "max-steps": { value: "N", about: "End a turn after so many replies of the model" },
  "max-cost": { value: "DOLLARS", about: "End a turn that has cost so much, where the price is known" },
  "max-time": { value: "SECONDS", about: "End a turn that takes longer" },
  record: { value: "FILE", about: "Write the model's replies to this new file, which script:FILE replays" },
  session: { value: "ID", about: "Go on in this session; last is the newest one here" },
  "new-session": { about: "Begin a new session for this terminal" },
  headless: { about: "Never ask: an ask is a deny" },
  "dry-run": { about: "Judge the call and run nothing" },
  yes: { short: "y", about: "Answer the asks of this call with once; a deny stays a deny" },
  args: { value: "JSON", about: "All arguments as JSON, @FILE, or - for standard input" },
  "propagate-exit": { about: "Exit with the code of the command that the tool ran" },
  format: {
    value: "FORMAT",
    choices: [
      ...["haft", "mcp", "anthropic", "openai", "openai-strict", "openai-responses", "openai-responses-strict"],
      "gemini",
    ],
    about: "Print definitions as this protocol or provider takes them",
  },
  cost: { about: "Show how many tokens each definition takes, roughly" },
  "print-config": { value: "EDITOR", choices: editors, about: "Print what this editor wants in its configuration" },
  attach: {
    value: "SOCKET",
    about: "Show the output of a command in a terminal of the editor; editors are told to run it",
  },
  output: { value: "FILE", about: "Write to this file instead of standard output" },
  all: { about: "Archived ones too" },
  limit: { value: "N", about: "At most so many" },
  at: { value: "ID", about: "The last turn or call that the new session has" },
  defaults: { about: "Only the built-in rules" },
  scope: { value: "SCOPE", choices: ["user", "answers", "project", "local"], about: "Which file to change" },
  link: { about: "Use the files where they are, and read them again when they change (development)" },
  write: { about: "Save what was translated; without it nothing is changed" },
  why: { value: "TEXT", about: "The reason, shown when the rule decides" },
  url: { value: "URL", about: "Address of a server that speaks streamable HTTP" },
  header: { value: "NAME:VALUE", repeat: true, about: "Header for a server at an address (repeatable)" },
  workspace: { value: "HOW", choices: ["none", "read", "write"], about: "What a server sees of the roots" },
  readable: { value: "PATH", repeat: true, about: "A path that a server may read besides (repeatable)" },
  port: { value: "PORT", about: "The port of the server; 0 for any that is free" },
  open: { about: "Open the page in your browser" },
  demo: { about: "Serve a small project that comes with Haft" },
  install: { value: "NAME", choices: ["git"], about: "Install what is missing from the address in your configuration" },
  remove: { about: "Take trust back" },
  list: { about: "Show the trusted folders" },
  json: { about: "One JSON document on standard output" },
  ndjson: { about: "One JSON event or row a line" },
  quiet: { short: "q", about: "No notes on standard error" },
  lang: { value: "LANG", choices: locales, about: "Language of words for people" },
  color: { value: "WHEN", choices: colorChoices, about: "Draw in colour" },
  help: { short: "h", about: "Show help" },
  version: { short: "V", about: "Show the version" },
}

/** Options that every command takes. */
export const everywhere = ["json", "ndjson", "quiet", "lang", "color", "help", "version"] as const
