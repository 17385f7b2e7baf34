import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.txt": "one\r\ntwo\nthree" }

/** Calls that show what `read_text` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the whole file as it is",
    files,
    input: { path: "a.txt" },
    output: { content: "one\r\ntwo\nthree", start_line: 1, line_count: 3, total_lines: 3 },
  },
  {
    name: "one line",
    files,
    input: { path: "a.txt", offset: 1, limit: 1 },
    output: { content: "two\n", start_line: 2, line_count: 1, total_lines: 3 },
  },
  { name: "a file that is not there", files, input: { path: "b.txt" }, fails: "not_found" },
]
