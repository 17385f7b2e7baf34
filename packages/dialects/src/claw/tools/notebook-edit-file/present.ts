import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

const verbs = { replace: "Replaced", insert: "Inserted", delete: "Deleted" } as const

/** Acknowledges the edit without repeating the source. */
export const present: Present<typeof manifest> = ({ notebook_path, cell_id, cell_type, edit_mode }) => [
  text(`${verbs[edit_mode]} ${cell_type} cell ${cell_id} in ${notebook_path}`),
]
