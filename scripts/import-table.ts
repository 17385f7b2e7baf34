/** What one package is for and what its sources may import. */
export interface PackageRow {
  readonly sentence: string
  /** Packages of this repository, without the scope. */
  readonly packages: readonly string[]
  /** Those of them of which single modules may be imported: the parts that tools share. */
  readonly parts?: readonly string[]
  /** Packages from the registry. */
  readonly thirdParty: readonly string[]
  /** What its `ui/` folders may import besides: faces are drawn by pages, and nothing else of the package loads them. */
  readonly ui?: { readonly packages: readonly string[]; readonly thirdParty: readonly string[] }
  /** Modules of Node: all, none, or these. */
  readonly node: "all" | "none" | readonly string[]
  /** True for what runs in a browser: it asks the server that it came from with `fetch`. */
  readonly page?: true
}

/** The table of allowed imports: a package imports only what its row names. */
export const importTable: Readonly<Record<string, PackageRow>> = {
  contract: {
    sentence: "The words: manifest, requirement set, ports, envelope, call events, error codes",
    packages: [],
    thirdParty: ["zod"],
    node: "none",
  },
  language: {
    sentence: "Texts for people in Simplified Chinese, found by the English ones, which are what the sources have",
    packages: ["contract"],
    thirdParty: [],
    node: "none",
  },
  guard: {
    sentence: "Decides: capability, rules, watchdog; pure functions over data, no input or output",
    packages: ["contract"],
    thirdParty: ["unbash"],
    node: "none",
  },
  runtime: {
    sentence: "Walks one call from name to envelope; registry, journal interface, definition formats",
    packages: ["contract", "guard"],
    thirdParty: ["zod"],
    // Hashing of arguments is the only thing that runtime takes from Node itself.
    node: ["node:crypto"],
  },
  git: {
    sentence: "Reads what git committed, what it writes itself and who commits with it",
    packages: ["contract"],
    thirdParty: [],
    node: "all",
  },
  host: {
    sentence: "Does: the ports on a real machine (files, search, processes, sandbox, network)",
    packages: ["contract", "git"],
    thirdParty: ["@lydell/node-pty", "@vscode/ripgrep", "diff", "undici"],
    node: "all",
  },
  box: {
    sentence: "Machines for commands that are not trusted: virtual machines of QEMU, containers of podman",
    packages: ["contract", "host"],
    thirdParty: ["tar-stream"],
    node: "all",
  },
  compute: {
    sentence: "Heavy work in worker threads: calculator, HTML, PDF, images, long commands",
    packages: ["contract"],
    thirdParty: [
      "defuddle",
      // No package: what the bundle of the workers takes from the guard (worker/bundled-modules.d.ts).
      "haft-command-analysis",
      "linkedom",
      "mathjs",
      "sharp",
      "unpdf",
    ],
    node: "all",
  },
  desktop: {
    sentence: "The desktop: the clipboard, the launcher's index of applications and files, and what was used",
    packages: ["contract", "host"],
    thirdParty: [],
    node: "all",
  },
  lsp: {
    sentence: "Language servers: finds, starts and asks them in the sandbox",
    packages: ["contract", "host"],
    thirdParty: ["vscode-jsonrpc", "vscode-languageserver-protocol"],
    node: "all",
  },
  mcp: {
    sentence:
      "The Model Context Protocol on both sides: tools of its servers as ours (`client`), our tools for its clients (`serve`)",
    packages: ["contract", "runtime"],
    thirdParty: ["@modelcontextprotocol/client", "@modelcontextprotocol/node", "@modelcontextprotocol/server", "zod"],
    node: ["node:crypto", "node:http", "node:net", "node:stream", "node:url"],
  },
  extensions: {
    sentence: "Extensions: tools whose code runs in a worker behind the sandbox and asks for every effect",
    packages: ["contract", "runtime"],
    thirdParty: ["zod"],
    node: "all",
  },
  project: {
    sentence: "What a project tells an agent: instructions and skills",
    packages: ["contract"],
    thirdParty: ["yaml"],
    node: "all",
  },
  store: {
    sentence: "The journal of sessions, on SQLite or PostgreSQL",
    packages: ["contract"],
    thirdParty: ["kysely", "libsql", "pg"],
    node: "all",
  },
  agent: {
    sentence: "The agent: models, turns, and the engine that makes them durable",
    packages: ["contract", "runtime"],
    thirdParty: [
      "@ai-sdk/anthropic",
      "@ai-sdk/google",
      "@ai-sdk/openai",
      "@ai-sdk/openai-compatible",
      "@ai-sdk/provider",
      "jsonc-parser",
      "jsonrepair",
    ],
    node: "all",
  },
  tools: {
    sentence: "The built-in tools, one folder each",
    packages: ["contract"],
    thirdParty: ["diff", "iconv-lite", "jschardet", "zod"],
    ui: { packages: ["faces"], thirdParty: ["react"] },
    node: "none",
  },
  dialects: {
    sentence:
      "Asyar, claw, A3S, Lobe: names, arguments, projections, the tools only they have, their permission models",
    packages: ["contract", "guard", "tools"],
    parts: ["tools"],
    thirdParty: ["zod"],
    node: "none",
  },
  faces: {
    sentence: "How a call is shown to a person: six default faces and the parts they are made of",
    packages: ["contract", "language"],
    thirdParty: ["lucide-react", "react", "shiki"],
    node: "none",
  },
  acp: {
    sentence: "Lets an editor drive the agent",
    packages: ["contract", "guard", "runtime", "agent"],
    thirdParty: ["@agentclientprotocol/sdk"],
    // The output of a command goes to a terminal of the editor through a socket in a folder of its own.
    node: ["node:fs/promises", "node:net", "node:os", "node:path", "node:stream", "node:stream/web", "node:url"],
  },
  server: {
    sentence: "HTTP API and event stream over sessions",
    packages: ["contract", "runtime", "agent"],
    thirdParty: ["@hono/node-server", "hono"],
    node: "all",
  },
  workbench: {
    sentence: "The web page on which people see, run, approve and replay tools",
    packages: ["contract", "dialects", "faces", "language", "tools"],
    parts: ["faces"],
    thirdParty: [
      "@cfworker/json-schema",
      "@mantine/core",
      "@mantine/dates",
      "@mantine/hooks",
      "@rjsf/core",
      "@rjsf/mantine",
      "@rjsf/utils",
      "@tanstack/react-virtual",
      "dayjs",
      "lucide-react",
      "react",
      "react-dom",
    ],
    node: "none",
    page: true,
  },
  testkit: {
    sentence: "Temporary workspaces, fake ports and the conformance suite for any tool",
    packages: ["contract", "runtime"],
    thirdParty: [],
    node: "all",
  },
  haft: {
    sentence: "The composition root: library entry and command line",
    packages: [
      "acp",
      "agent",
      "box",
      "compute",
      "contract",
      "desktop",
      "dialects",
      "extensions",
      "guard",
      "host",
      "language",
      "lsp",
      "mcp",
      "project",
      "runtime",
      "server",
      "store",
      "testkit",
      "tools",
    ],
    thirdParty: ["@ai-sdk/provider", "ai", "jsonc-parser", "zod"],
    ui: { packages: ["faces"], thirdParty: [] },
    node: "all",
  },
}

/** The npm name of a package folder. */
export function packageName(folder: string): string {
  return folder === "haft" ? "haft" : `@haft/${folder}`
}
