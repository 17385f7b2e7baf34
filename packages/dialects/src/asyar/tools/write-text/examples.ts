import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `write_text` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a new file",
    input: { path: "a.txt", content: "grüße" },
    output: { bytes_written: 7 },
    after: { "a.txt": "grüße" },
  },
  {
    name: "the whole of an existing file",
    files: { "a.txt": "old\n" },
    input: { path: "a.txt", content: "new" },
    output: { bytes_written: 3 },
    after: { "a.txt": "new" },
  },
  {
    name: "no folder is made",
    input: { path: "new/a.txt", content: "x" },
    fails: "not_found",
    after: { "new/a.txt": null },
  },
]
