import { type Execute, ToolError } from "@haft/contract"
import { type EditedNotebook, editNotebook } from "./edit-notebook.js"
import type { manifest } from "./index.js"
import { parseNotebook } from "./parse-notebook.js"
import { shownCells } from "./shown-cells.js"

/** Notebooks hold pictures and tables as text; beyond this size they are data. */
const maxNotebookBytes = 50 * 1024 * 1024

/** Changes one cell of the current notebook, in one turn with no other writer in between. */
export const execute: Execute<typeof manifest> = async (input, { files, setState }) => {
  const { notebook_path: path, cell_id: cellId, new_source: source, cell_type: type, edit_mode: mode } = input
  if (!/\.ipynb$/i.test(path)) {
    throw new ToolError("invalid_args", `Cannot edit "${path}" as a notebook: its name does not end in .ipynb`, {
      hint: { say: "Use {tool:edit} for other files" },
    })
  }
  if (mode !== "delete" && source === undefined) {
    throw new ToolError("invalid_args", `Cannot ${mode} a cell of "${path}": new_source is missing; send the source`)
  }
  let edited: EditedNotebook | undefined
  await files.update(path, { maxBytes: maxNotebookBytes }, ({ bytes }) => {
    edited = editNotebook(parseNotebook(bytes, path), { path, cellId, source: source ?? "", type, mode })
    return new TextEncoder().encode(edited.text)
  })
  const { cellId: cell_id, cellType: cell_type, cellCount: cell_count, before } = edited!
  const after = mode === "delete" ? undefined : source
  setState({
    ...{ cell_id, cell_type, before: before?.slice(0, maxShownUnits), after: after?.slice(0, maxShownUnits) },
    cells: shownCells(edited!.text),
  })
  return { notebook_path: path, cell_id, cell_type, edit_mode: mode, cell_count }
}

/** A cell is drawn for people: beyond this length nobody looks. */
const maxShownUnits = 32_768
