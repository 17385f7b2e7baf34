import { ToolError } from "@haft/contract"

/** What an editor wants in its configuration, with where to put it. */
export function editorConfig(editor: string, roots: readonly string[]): string {
  const args = ["acp", ...roots.flatMap((root) => ["--root", root])]
  const write = snippets[editor]
  if (write) return write(args)
  throw new ToolError("invalid_args", `Cannot print a configuration for "${editor}": it is not known`)
}

const snippets: Readonly<Record<string, (args: readonly string[]) => string>> = {
  zed: (args) =>
    `// ~/.config/zed/settings.json\n${json({ agent_servers: { Haft: { type: "custom", command: "haft", args, env: {} } } })}`,
  jetbrains: (args) =>
    `// ~/.jetbrains/acp.json\n${json({ agent_servers: { Haft: { command: "haft", args, env: {} } } })}`,
  neovim: (args) =>
    [
      "-- with the plugin avante.nvim",
      'require("avante").setup({',
      '  provider = "haft",',
      "  acp_providers = {",
      `    haft = { command = "haft", args = { ${args.map((word) => JSON.stringify(word)).join(", ")} }, env = {} },`,
      "  },",
      "})",
      "",
    ].join("\n"),
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
