import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `write_file` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a new file in a new folder",
    input: { path: "notes/today.md", content: "# Today\n" },
    output: { created: true, bytes_written: 8 },
    after: { "notes/today.md": "# Today\n" },
  },
  {
    name: "the whole of an existing file",
    files: { "a.txt": "one\ntwo\n" },
    input: { path: "a.txt", content: "one\n2\n" },
    output: { created: false, bytes_written: 6 },
    after: { "a.txt": "one\n2\n" },
  },
  {
    name: "a directory is not replaced",
    files: { "src/main.ts": "export {}\n" },
    input: { path: "src", content: "x" },
    fails: "unsupported",
  },
]
