import { type Present, text } from "@haft/contract"
import { todoSummary } from "../../kept-todos.js"
import type { manifest } from "./manifest.js"

/** Acknowledges with counts: the model has just written the steps. */
export const present: Present<typeof manifest> = ({ added, todos }) => [
  text(`Added ${added} ${added === 1 ? "item" : "items"}: ${todoSummary(todos)}`),
]
