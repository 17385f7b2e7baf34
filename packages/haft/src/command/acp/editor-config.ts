import { ToolError } from "@haft/contract"
import type { ProgramStart } from "../own-command.js"

/** What an editor wants in its configuration, with where to put it. */
export function editorConfig(editor: string, roots: readonly string[], own: ProgramStart): string {
  const args = [...own.args, "acp", ...roots.flatMap((root) => ["--root", root])]
  const write = snippets[editor]
  if (write) return write({ command: own.command, args })
  throw new ToolError("invalid_args", `Cannot print a configuration for "${editor}": it is not known`)
}

const snippets: Readonly<Record<string, (start: ProgramStart) => string>> = {
  zed: (start) =>
    `// ~/.config/zed/settings.json\n${json({ agent_servers: { Haft: { type: "custom", ...start, env: {} } } })}`,
  jetbrains: (start) => `// ~/.jetbrains/acp.json\n${json({ agent_servers: { Haft: { ...start, env: {} } } })}`,
  neovim: ({ command, args }) =>
    [
      "-- with the plugin avante.nvim",
      'require("avante").setup({',
      '  provider = "haft",',
      "  acp_providers = {",
      `    haft = { command = ${JSON.stringify(command)}, args = { ${args.map((word) => JSON.stringify(word)).join(", ")} }, env = {} },`,
      "  },",
      "})",
      "",
    ].join("\n"),
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
