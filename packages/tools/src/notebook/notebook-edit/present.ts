import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

const verbs = { replace: "Replaced", insert: "Inserted", delete: "Deleted" } as const

/** Acknowledges the edit without repeating the source. */
export const present: Present<typeof manifest> = ({ notebook_path, cell_id, cell_type, edit_mode, cell_count }) => {
  const count = cell_count === 1 ? "1 cell" : `${cell_count} cells`
  return [text(`${verbs[edit_mode]} ${cell_type} cell ${cell_id} in ${notebook_path}, which has ${count} now`)]
}
