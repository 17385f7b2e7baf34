import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges; neither the former nor the new content is repeated. */
export const present: Present<typeof manifest> = ({ path, created, bytes_written }) => [
  text(`${created ? "Created" : "Replaced"} ${path}: ${bytes_written} ${bytes_written === 1 ? "byte" : "bytes"}`),
]
