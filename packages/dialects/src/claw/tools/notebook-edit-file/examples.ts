import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const notebook = (...sources: readonly string[]) => {
  const cells = sources.map((source, index) => {
    const id = `c${index}`
    return { cell_type: "code", execution_count: null, id, metadata: {}, outputs: [], source: [source] }
  })
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`
}

/** Calls that show what `notebook_edit_file` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the last cell is replaced",
    files: { "a.ipynb": notebook("1", "2") },
    input: { notebook_path: "a.ipynb", new_source: "3" },
    output: { cell_id: "c1", cell_type: "code", edit_mode: "replace" },
    after: { "a.ipynb": notebook("1", "3") },
  },
  {
    name: "a cell is deleted",
    files: { "a.ipynb": notebook("1", "2") },
    input: { notebook_path: "a.ipynb", cell_id: "c1", edit_mode: "delete" },
    output: { cell_id: "c1", edit_mode: "delete" },
    after: { "a.ipynb": notebook("1") },
  },
  {
    name: "a new cell without a source",
    files: { "a.ipynb": notebook("1") },
    input: { notebook_path: "a.ipynb", edit_mode: "insert" },
    fails: "invalid_args",
    after: { "a.ipynb": notebook("1") },
  },
]
