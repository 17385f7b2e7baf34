import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `write` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a new file in a new folder",
    input: { file_path: "notes/today.md", content: "# Today\n" },
    output: { file_path: "notes/today.md", created: true, bytes_written: 8 },
    after: { "notes/today.md": "# Today\n" },
  },
  {
    name: "the whole of an existing file",
    files: { "a.txt": "old\n" },
    input: { file_path: "a.txt", content: "new\r\n" },
    output: { file_path: "a.txt", created: false, bytes_written: 5 },
    after: { "a.txt": "new\r\n" },
  },
  {
    name: "an empty file",
    input: { file_path: ".gitkeep", content: "" },
    output: { file_path: ".gitkeep", created: true, bytes_written: 0 },
    after: { ".gitkeep": "" },
  },
  {
    name: "a directory is not replaced",
    files: { "src/main.ts": "export {}\n" },
    input: { file_path: "src", content: "x" },
    fails: "unsupported",
    after: { "src/main.ts": "export {}\n" },
  },
]
