import type { SeedStatement } from "./seed-statement.js"

const here = "packages/haft/test/seeds/seed-000.test.ts"
const works = (number: number, statement: string): SeedStatement => ({
  ...{ id: `000-${number}`, statement, test: here },
  state: "works",
})
const decided = (number: number, statement: string): SeedStatement => ({
  ...{ id: `000-${number}`, statement, test: here, decision: "docs/decisions/042-asyar.md" },
  state: "decision",
})
/** Shown by a test of the agent, which has this in its title. */
const inAgent = (number: number, statement: string, title: string): SeedStatement => ({
  ...{ id: `000-${number}`, statement, title },
  state: "works",
  test: "packages/haft/test/agent.test.ts",
})
/** The statements of the reference of Asyar's built-in tools, in its order. */
export const seed000: readonly SeedStatement[] = [
  works(1, "eight tools with the ids builtin:<bare id>"),
  works(2, "on the wire : becomes __ and . becomes --, in at most 64 characters that providers take"),
  works(3, "a map for each request decodes incoming names"),
  inAgent(
    4,
    "the agent loop encodes ids and decodes the names of a model's calls",
    "is called by the name of that very request",
  ),
  works(5, "each tool has its display name, its arguments, required and optional, and their descriptions"),
  works(6, "a descriptor has the bare id, the full id, the source and the parameters"),
  works(7, "calculator evaluates with evalexpr and gives a whole number, a float, a string or a boolean"),
  works(8, "calculator: tuples, empty results and malformed expressions are errors"),
  decided(9, "clipboard-read gives the text of the clipboard, and clipboard-write replaces it"),
  works(10, "clipboard-write: a missing or wrong text is an error before anything is touched"),
  decided(11, "fs-read gives a whole UTF-8 file; another encoding is an error"),
  works(12, "fs-write creates or replaces, makes no folder, and counts bytes of UTF-8"),
  works(13, "shell-exec gives both streams and the exit code; failing is no error"),
  works(14, "shell-exec: exitCode is null after a signal"),
  works(15, "shell-exec: only a program that cannot be started is an error"),
  works(16, "shell-exec: bytes that are no UTF-8 are replaced, args default to none, cwd is optional"),
  decided(17, "shell-exec has no limits of time and size"),
  works(18, "web-fetch gives status, statusText, headers, body and ok"),
  works(19, "web-fetch: unknown methods are GET, nested headers are an error"),
  works(20, "search gives id, name, type and score, best first, up to the limit (10; 0 is none)"),
  works(21, "search always asks the live index"),
  {
    id: "000-22",
    statement: "search ranks as the launcher's own bar does",
    state: "works",
    test: "packages/haft/test/serve-sessions.test.ts",
    title: "the palette finds and ranks as the tool index_search does",
  },
  works(23, "a second tool with the same id is refused at start"),
  {
    id: "000-24",
    statement: "tools of extensions run in a worker, declared in a manifest",
    state: "works",
    test: "packages/haft/test/extensions.test.ts",
    title: "brings tools that go the way of every call",
  },
  works(25, "wrong and hostile arguments are an error with a code and a message, for every tool"),
]
