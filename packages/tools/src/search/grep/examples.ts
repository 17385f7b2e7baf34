import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.ts": "one\n// TODO first\nthree\n", "b.md": "todo: nothing\n" }

/** Calls that show what `grep` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plain word",
    files,
    input: { pattern: "TODO" },
    output: {
      matches: [{ path: "a.ts", line: 2, text: "// TODO first" }],
      match_count: 1,
      file_count: 1,
      complete: true,
    },
  },
  {
    name: "any case, with the lines around",
    files,
    input: { pattern: "todo", "-i": true, context: 1, glob: "*.ts" },
    output: {
      matches: [{ path: "a.ts", line: 2, text: "// TODO first", before: ["one"], after: ["three"] }],
      match_count: 1,
    },
  },
  {
    name: "no match is an answer, not a failure",
    files,
    input: { pattern: "FIXME" },
    output: { matches: [], match_count: 0, file_count: 0, complete: true },
  },
  { name: "a pattern that is no regular expression", files, input: { pattern: "f(" }, fails: "invalid_args" },
]
