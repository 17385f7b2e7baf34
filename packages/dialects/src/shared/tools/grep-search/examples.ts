import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.ts": "one\n// TODO first\nthree\n", "b.md": "TODO second\n" }

/** Calls that show what `grep_search` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "files with a match, and no more of them than wanted",
    files,
    input: { pattern: "TODO", head_limit: 1 },
    output: { mode: "files_with_matches", applied_limit: 1 },
  },
  {
    name: "how many lines match",
    files,
    input: { pattern: "todo", "-i": true, output_mode: "count" },
    output: { mode: "count", num_matches: 2 },
  },
  {
    name: "the lines themselves, with one before each",
    files,
    input: { pattern: "TODO", type: "ts", output_mode: "content", "-B": 1 },
    output: { mode: "content", num_lines: 2 },
  },
  { name: "a pattern that is no regular expression", files, input: { pattern: "f(" }, fails: "invalid_args" },
]
