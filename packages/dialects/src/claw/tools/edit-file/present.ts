import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges the edit; no text of the file is repeated. */
export const present: Present<typeof manifest> = ({ path, replacements }) => [
  text(`Edited ${path}: ${replacements} ${replacements === 1 ? "replacement" : "replacements"}`),
]
