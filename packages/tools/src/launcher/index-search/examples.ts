import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "src/quarterly-report.ts": "export {}\n", "notes/todo.md": "# Todo\n" }

/** Calls that show what `index_search` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a file by letters of its name",
    files,
    input: { query: "qrtly-rep", limit: 1 },
    output: {
      results: [{ id: "file_src/quarterly-report.ts", name: "quarterly-report.ts", type: "file", score: 0.2705 }],
    },
  },
  {
    name: "the whole name fits best",
    files,
    input: { query: "quarterly-report.ts", limit: 1 },
    output: {
      results: [{ id: "file_src/quarterly-report.ts", name: "quarterly-report.ts", type: "file", score: 1 }],
    },
  },
  { name: "a limit of 0 gives nothing", files, input: { query: "report", limit: 0 }, output: { results: [] } },
  { name: "what nothing is called", files, input: { query: "zzqqxxjj" }, output: { results: [] } },
]
