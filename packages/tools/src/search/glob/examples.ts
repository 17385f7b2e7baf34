import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "README.md": "# Demo\n", "src/main.ts": "export {}\n", "src/deep/part.ts": "export {}\n" }

/** Calls that show what `glob` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "all TypeScript files, sorted",
    files,
    input: { pattern: "**/*.ts" },
    output: { paths: ["src/deep/part.ts", "src/main.ts"], complete: true, total: 2 },
  },
  {
    name: "only below one folder",
    files,
    input: { pattern: "*.ts", path: "src/deep" },
    output: { paths: ["src/deep/part.ts"], complete: true },
  },
  {
    name: "ignored files are left out",
    files: { ...files, ".gitignore": "src/deep/\n" },
    input: { pattern: "**/*.ts" },
    output: { paths: ["src/main.ts"], complete: true },
  },
  {
    name: "no match is an answer, not a failure",
    files,
    input: { pattern: "**/*.py" },
    output: { paths: [], complete: true, total: 0 },
  },
  { name: "a folder that does not exist", files, input: { pattern: "*.ts", path: "scr" }, fails: "not_found" },
]
