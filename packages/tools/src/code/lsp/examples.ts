import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "src/main.ts": "export const total = 1\n", "notes.txt": "total\n" }

/** Calls that show what `lsp` promises on any machine, whichever servers it has. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a question without a file", files, input: { action: "diagnostics" }, fails: "invalid_args" },
  {
    name: "a question without a place",
    files,
    input: { action: "definition", file_path: "src/main.ts", line: 1 },
    fails: "invalid_args",
  },
  {
    name: "a line that the file does not have",
    files,
    input: { action: "hover", file_path: "src/main.ts", line: 40, query: "total" },
    fails: "invalid_args",
  },
  {
    name: "a file that no language server knows",
    files,
    input: { action: "symbols", file_path: "notes.txt" },
    fails: "unsupported",
  },
  {
    name: "a file that does not exist",
    files,
    input: { action: "diagnostics", file_path: "src/man.ts" },
    fails: "not_found",
  },
]
