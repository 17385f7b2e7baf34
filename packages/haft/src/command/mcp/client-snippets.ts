import { type ProgramStart, shellWord } from "../own-command.js"

/** A client, where it looks for servers, and how they are written there. */
interface ClientSnippet {
  readonly place: string
  write(start: ProgramStart): string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
const mcpServers = (start: ProgramStart) => json({ mcpServers: { haft: start } })

/** The clients that are known, by name. */
export const clients: Readonly<Record<string, ClientSnippet>> = {
  "claude-code": {
    place: "Run this command in the project",
    write: ({ command, args }) => ["claude mcp add haft --", ...[command, ...args].map(shellWord)].join(" "),
  },
  "claude-desktop": { place: "Put this into claude_desktop_config.json", write: mcpServers },
  cursor: { place: "Put this into .cursor/mcp.json of the project, or ~/.cursor/mcp.json", write: mcpServers },
  vscode: {
    place: "Put this into .vscode/mcp.json of the project",
    write: (start) => json({ servers: { haft: { type: "stdio", ...start } } }),
  },
  zed: {
    place: "Put this into settings.json of Zed",
    write: (start) => json({ context_servers: { haft: { source: "custom", ...start } } }),
  },
  windsurf: { place: "Put this into ~/.codeium/windsurf/mcp_config.json", write: mcpServers },
  jetbrains: { place: "Put this into Settings, Tools, AI Assistant, Model Context Protocol", write: mcpServers },
  gemini: {
    place: "Put this into .gemini/settings.json of the project, or ~/.gemini/settings.json",
    write: mcpServers,
  },
  opencode: {
    place: "Put this into opencode.json of the project",
    write: ({ command, args }) => json({ mcp: { haft: { type: "local", command: [command, ...args] } } }),
  },
  codex: {
    place: "Put this into ~/.codex/config.toml",
    write: ({ command, args }) =>
      `[mcp_servers.haft]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
  },
}
