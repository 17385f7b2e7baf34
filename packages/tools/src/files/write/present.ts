import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges; the content itself is never repeated. */
export const present: Present<typeof manifest> = ({ file_path, created, bytes_written, former_encoding }) => {
  const done = `${created ? "Created" : "Replaced"} ${file_path}: ${bytes_written} ${bytes_written === 1 ? "byte" : "bytes"}`
  return [
    text(former_encoding === undefined ? done : `${done} (the former file was ${former_encoding}, this one is utf-8)`),
  ]
}
