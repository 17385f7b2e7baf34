import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "README.md": "# Demo\n", "src/main.ts": "export const one = 1\n", "src/deep/part.ts": "export {}\n" }

/** Calls that show what `repo_overview` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a small project",
    files,
    input: {},
    output: { tree: "src/ (2)\n  deep/ (1)\n    part.ts\n  main.ts\nREADME.md", file_count: 3, complete: true },
  },
  {
    name: "one folder of it, with its languages",
    files,
    input: { path: "src" },
    output: { file_count: 2, languages: [{ name: "TypeScript", files: 2, bytes: 31, share: 1 }] },
  },
  {
    name: "ignored files are left out",
    files: { ...files, ".gitignore": "src/\n" },
    input: {},
    output: { tree: ".gitignore\nREADME.md", file_count: 2 },
  },
  { name: "a folder that does not exist", files, input: { path: "scr" }, fails: "not_found" },
  { name: "a file is no folder", files, input: { path: "README.md" }, fails: "unsupported" },
]
