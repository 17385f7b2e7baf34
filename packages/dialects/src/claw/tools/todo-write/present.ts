import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges: the model has just written the list. */
export const present: Present<typeof manifest> = ({ new_todos, verification_nudge_needed }) => {
  const open = new_todos.filter(({ status }) => status !== "completed" && status !== "cancelled").length
  const saved = open === 0 ? "Todo list done" : `Todo list saved: ${open} of ${new_todos.length} steps open`
  return [text(verification_nudge_needed ? `${saved}; nothing in it verified the work` : saved)]
}
