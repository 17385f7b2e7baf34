import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges; the content itself is never repeated. */
export const present: Present<typeof manifest> = ({ path, bytes_written }) => [
  text(`Wrote ${bytes_written} ${bytes_written === 1 ? "byte" : "bytes"} to ${path}`),
]
