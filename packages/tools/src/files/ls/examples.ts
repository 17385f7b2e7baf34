import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `ls` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the working directory",
    files: { "README.md": "# Demo\n", "src/main.ts": "export {}\n" },
    input: {},
    output: { complete: true },
  },
  {
    name: "a folder with one file",
    files: { "src/main.ts": "export {}\n" },
    input: { path: "src" },
    output: { complete: true },
  },
  {
    name: "a folder that does not exist",
    files: { "src/main.ts": "export {}\n" },
    input: { path: "scr" },
    fails: "not_found",
  },
  { name: "a file is no folder", files: { "a.txt": "a" }, input: { path: "a.txt" }, fails: "unsupported" },
]
