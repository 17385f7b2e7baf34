import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.txt": "one\ntwo\n", "b.txt": "three" }

/** Calls that show what `read_files` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two files",
    files,
    input: { paths: ["a.txt", "b.txt"] },
    output: {
      files: [
        { path: "a.txt", content: "one\ntwo\n", start_line: 1, line_count: 2, eof: true, total_lines: 2 },
        { path: "b.txt", content: "three", start_line: 1, line_count: 1, eof: true, total_lines: 1 },
      ],
      failed: 0,
    },
  },
  {
    name: "the second line of each",
    files,
    input: { paths: ["a.txt", "b.txt"], offset: 1, limit: 1 },
    output: { failed: 0 },
  },
  {
    name: "one that is not there does not fail the rest",
    files,
    input: { paths: ["c.txt", "b.txt"] },
    output: { failed: 1 },
  },
]
