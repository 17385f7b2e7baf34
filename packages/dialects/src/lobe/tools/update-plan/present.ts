import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges; the model has just written what changed. */
export const present: Present<typeof manifest> = ({ plan }) => [
  text(`Updated plan ${plan.id}${plan.completed ? ": completed" : ""}`),
]
