import { type Present, text } from "@haft/contract"
import { todoSummary } from "../../kept-todos.js"
import type { manifest } from "./manifest.js"

/** How many are gone and what is left. */
export const present: Present<typeof manifest> = ({ cleared, todos }) => [
  text(`Cleared ${cleared} ${cleared === 1 ? "item" : "items"}: ${todoSummary(todos)}`),
]
