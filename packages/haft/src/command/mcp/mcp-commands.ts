import type { Command } from "../command.js"
import { clients } from "./client-snippets.js"

/** Options that set up a server, in its own command and in the command line that a client gets. */
export const serving = [
  ...["root", "allow", "deny", "ask", "mode", "policy", "toolset", "tools", "dialect"],
  ...["sandbox", "grant-net", "env", "env-secret", "headless"],
] as const

const reaching = ["root", "grant-net", "sandbox"] as const

/** The commands about foreign MCP servers, and about clients of ours. */
export const mcpCommands: readonly Command[] = [
  {
    name: "add",
    about: "Name a server in your configuration; it runs once you trust it",
    operands: "NAME [-- COMMAND [ARGUMENT ...]]",
    count: [1, 1000],
    options: ["root", "url", "header", "env", "grant-net", "workspace", "readable", "scope"],
    examples: [
      "haft mcp add memory -- mcp-server-memory",
      "haft mcp add docs --url https://docs.example/mcp",
      "haft mcp add files --workspace read -- mcp-server-filesystem .",
    ],
    load: () => import("./add.js"),
  },
  {
    name: "list",
    about: "The servers, and whether they are trusted",
    options: ["root"],
    load: () => import("./list.js"),
  },
  {
    name: "remove",
    about: "Take a server out of your configuration, and the trust in it",
    operands: "NAME",
    count: [1, 1],
    options: ["root"],
    load: () => import("./remove.js"),
  },
  {
    name: "trust",
    about: "Look at a server and its tools, and trust them as they are",
    operands: "NAME",
    count: [1, 1],
    options: [...reaching, "remove"],
    load: () => import("./trust.js"),
  },
  {
    name: "test",
    about: "Whether a trusted server works, and what changed since it was trusted",
    operands: "NAME",
    count: [1, 1],
    options: [...reaching],
    load: () => import("./test.js"),
  },
  {
    name: "config",
    about: "Print what makes a client start this server",
    operands: "CLIENT",
    count: [1, 1],
    completes: Object.keys(clients),
    options: serving,
    examples: ["haft mcp config claude-code", "haft mcp config cursor --root ~/project --toolset locked,code"],
    load: () => import("./config.js"),
  },
]
