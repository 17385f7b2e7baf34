import type { Json } from "@haft/contract"

/** Where a server program may be. */
export type Candidate =
  /** A package that the project installed with npm, with a native program where the package has one. */
  | {
      readonly where: "package"
      readonly name: string
      readonly leastMajor?: number
      readonly program: string
      /** Names of the native program's package and its path inside, with {platform} and {arch}. */
      readonly native?: { readonly name: string; readonly program: string }
      readonly arguments: readonly string[]
    }
  /** A program file of the project, by its path below a folder of it. */
  | { readonly where: "project"; readonly program: string; readonly arguments: readonly string[] }
  /** A program on the search path; `ofPackage` says which package it must belong to, and in which version. */
  | {
      readonly where: "path"
      readonly program: string
      readonly ofPackage?: { readonly name: string; readonly leastMajor: number }
      readonly arguments: readonly string[]
    }

/** A language server: which files are its own, where it may be found and how it is started. */
export interface ServerSpec {
  readonly id: string
  /** The language in words. */
  readonly title: string
  /** The name that the protocol has for each file ending. */
  readonly languageIds: Readonly<Record<string, string>>
  /** Tried in this order. */
  readonly candidates: readonly Candidate[]
  /** Files that make a folder a project of this language. */
  readonly projectFiles: readonly string[]
  /** True when the server works on the nearest such folder, and not on the whole root. */
  readonly perProject?: boolean
  /** Further files whose changes matter: endings with a dot in front, or whole names. */
  readonly watched: readonly string[]
  /** Folders that are not looked through for changes. */
  readonly unwatched: readonly string[]
  /** Paths that change when dependencies do: the server then starts anew. `*` means any one name. */
  readonly dependencies: readonly string[]
  readonly initializationOptions?: Json
  /** Answers to the server's questions for settings, by section. */
  readonly settings?: Readonly<Record<string, Json>>
  readonly environment?: Readonly<Record<string, string>>
  /** Arguments with which the program on the search path only says its version, to see whether it runs at all. */
  readonly trial?: readonly string[]
  /** How to get it. */
  readonly install: string
}

/** The spec that a file belongs to by the ending of its name. */
export function specOf(path: string, table: readonly ServerSpec[]): ServerSpec | undefined {
  const ending = endingOf(path)
  return table.find(({ languageIds }) => Object.hasOwn(languageIds, ending))
}

/** The ending of a file name, in small letters and with its dot. */
export function endingOf(path: string): string {
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? ""
}

/** The language servers that Haft knows. A further one is a further entry. */
export const serverTable: readonly ServerSpec[] = [
  {
    id: "typescript",
    title: "TypeScript and JavaScript",
    languageIds: {
      ".ts": "typescript",
      ".mts": "typescript",
      ".cts": "typescript",
      ".tsx": "typescriptreact",
      ".js": "javascript",
      ".mjs": "javascript",
      ".cjs": "javascript",
      ".jsx": "javascriptreact",
    },
    candidates: [
      {
        where: "package",
        name: "typescript",
        // The compiler itself is a language server from this version on.
        leastMajor: 7,
        program: "bin/tsc",
        native: { name: "@typescript/typescript-{platform}-{arch}", program: "lib/tsc" },
        arguments: ["--lsp", "--stdio"],
      },
      {
        where: "path",
        program: "tsc",
        ofPackage: { name: "typescript", leastMajor: 7 },
        arguments: ["--lsp", "--stdio"],
      },
    ],
    projectFiles: ["tsconfig.json", "jsconfig.json", "package.json"],
    watched: [".json"],
    unwatched: ["node_modules"],
    dependencies: ["node_modules", "node_modules/.package-lock.json", "node_modules/.modules.yaml"],
    install: "npm install --save-dev typescript@7",
  },
  {
    id: "python",
    title: "Python",
    languageIds: { ".py": "python", ".pyi": "python" },
    candidates: [
      { where: "package", name: "pyright", program: "langserver.index.js", arguments: ["--stdio"] },
      { where: "project", program: ".venv/bin/pyright-langserver", arguments: ["--stdio"] },
      { where: "path", program: "pyright-langserver", arguments: ["--stdio"] },
    ],
    projectFiles: ["pyproject.toml", "pyrightconfig.json", "setup.py", "requirements.txt"],
    watched: ["pyproject.toml", "pyrightconfig.json"],
    unwatched: ["node_modules", ".venv", "venv", "__pycache__"],
    dependencies: [".venv/lib/*/site-packages", "venv/lib/*/site-packages"],
    settings: { python: { analysis: { diagnosticMode: "openFilesOnly", autoSearchPaths: true } } },
    install: "npm install --save-dev pyright",
  },
  {
    id: "go",
    title: "Go",
    languageIds: { ".go": "go" },
    candidates: [{ where: "path", program: "gopls", arguments: ["serve"] }],
    projectFiles: ["go.work", "go.mod"],
    watched: ["go.mod", "go.sum", "go.work"],
    unwatched: ["node_modules"],
    dependencies: [],
    // Without network a fetch could only fail slowly.
    environment: { GOPROXY: "off", GOFLAGS: "-mod=readonly", GOTOOLCHAIN: "local" },
    trial: ["version"],
    install: "go install golang.org/x/tools/gopls@latest",
  },
  {
    id: "rust",
    title: "Rust",
    languageIds: { ".rs": "rust" },
    candidates: [{ where: "path", program: "rust-analyzer", arguments: [] }],
    projectFiles: ["Cargo.toml"],
    perProject: true,
    watched: ["Cargo.toml", "Cargo.lock"],
    unwatched: ["node_modules", "target"],
    dependencies: [],
    // Build scripts and macros are programs of the project, and checks write into it.
    initializationOptions: {
      checkOnSave: false,
      cargo: { buildScripts: { enable: false } },
      procMacro: { enable: false },
    },
    environment: { CARGO_NET_OFFLINE: "true" },
    // The program of this name may mean a component that is not installed.
    trial: ["--version"],
    install: "rustup component add rust-analyzer",
  },
  {
    id: "c",
    title: "C and C++",
    languageIds: {
      ".c": "c",
      ".h": "c",
      ".cc": "cpp",
      ".cpp": "cpp",
      ".cxx": "cpp",
      ".hh": "cpp",
      ".hpp": "cpp",
      ".hxx": "cpp",
    },
    candidates: [{ where: "path", program: "clangd", arguments: ["--log=error"] }],
    projectFiles: ["compile_commands.json", "compile_flags.txt"],
    watched: ["compile_commands.json", "compile_flags.txt", ".inc"],
    unwatched: ["node_modules"],
    dependencies: [],
    trial: ["--version"],
    install: "apt-get install clangd",
  },
]
