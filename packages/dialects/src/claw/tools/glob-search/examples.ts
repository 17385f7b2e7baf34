import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "README.md": "# Demo\n", "src/main.ts": "export {}\n", "dist/main.ts": "export {}\n" }

/** Calls that show what `glob_search` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "what was built is left out",
    files: { "dist/main.ts": "", "node_modules/a/index.ts": "" },
    input: { pattern: "**/*.ts" },
    output: { paths: [], complete: true },
  },
  { name: "no match is an answer, not a failure", files, input: { pattern: "**/*.py" }, output: { paths: [] } },
  { name: "a folder that does not exist", files, input: { pattern: "*.ts", path: "scr" }, fails: "not_found" },
]
