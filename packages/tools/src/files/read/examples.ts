import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `read` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a small file",
    files: { "a.txt": "one\ntwo\nthree\n" },
    input: { file_path: "a.txt" },
    output: {
      content: "one\ntwo\nthree\n",
      start_line: 1,
      line_count: 3,
      eof: true,
      total_lines: 3,
      encoding: "utf-8",
    },
  },
  {
    name: "one line from the middle",
    files: { "a.txt": "one\ntwo\nthree\n" },
    input: { file_path: "a.txt", offset: 1, limit: 1 },
    output: { content: "two\n", start_line: 2, line_count: 1, eof: false, next_offset: 2 },
  },
  {
    name: "bytes, ended at a character",
    files: { "a.txt": "né\n" },
    input: { file_path: "a.txt", byte_offset: 0, byte_limit: 2 },
    output: { content: "n", eof: false, next_byte_offset: 1 },
  },
  {
    name: "a notebook as cells",
    files: {
      "demo.ipynb": JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
        cells: [{ id: "a1", cell_type: "code", source: ["1 + 1"], outputs: [], metadata: {}, execution_count: 1 }],
      }),
    },
    input: { file_path: "demo.ipynb" },
    output: { content: "--- cell a1 (code) ---\n1 + 1\n", media_type: "application/x-ipynb+json" },
  },
  { name: "a file that does not exist", files: { "main.ts": "" }, input: { file_path: "mian.ts" }, fails: "not_found" },
]
