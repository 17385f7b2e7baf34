import { type Execute, ToolError } from "@haft/contract"
import { type EditedNotebook, editNotebook } from "@haft/tools/notebook/notebook-edit/edit-notebook.js"
import { type Notebook, parseNotebook } from "@haft/tools/notebook/notebook-edit/parse-notebook.js"
import type { manifest } from "./index.js"

/** Changes one cell as `notebook_edit` does, in one turn with no other writer in between, and keeps both texts. */
export const execute: Execute<typeof manifest> = async (input, { files, limit, setState }) => {
  const { notebook_path: path, cell_id: cellId, new_source: source, cell_type: type, edit_mode: mode } = input
  if (mode !== "delete" && source === undefined) {
    throw new ToolError("invalid_args", `Cannot ${mode} a cell of "${path}": new_source is missing; send the source`)
  }
  let notebook: Notebook | undefined
  let edited: EditedNotebook | undefined
  const receipt = await files.update(path, { maxBytes: limit }, ({ bytes }) => {
    notebook = parseNotebook(bytes, path)
    edited = editNotebook(notebook, { path, cellId, source: source ?? "", type, mode })
    return new TextEncoder().encode(edited.text)
  })
  const { text: original, start } = notebook!
  const { text: updated, cellId: cell_id, cellType: cell_type } = edited!
  setState({ language: languageOf(original.slice(start)), original, updated })
  return { notebook_path: receipt.path, cell_id, cell_type, edit_mode: mode }
}

/** What the notebook says about its kernel; Python when it says nothing. */
function languageOf(notebook: string): string {
  const { metadata } = JSON.parse(notebook) as { metadata?: { kernelspec?: { language?: unknown } } }
  const language = metadata?.kernelspec?.language
  return typeof language === "string" ? language : "python"
}
