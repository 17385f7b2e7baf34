import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The numbers on one line, or the one number. */
export const present: Present<typeof manifest> = ({ result }) => [
  text(typeof result === "string" ? result : result.join(", ")),
]
