import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** One line a move. */
export const present: Present<typeof manifest> = ({ moved }) => [
  text(moved.map(({ from, to }) => `Moved ${onOneLine(from)} to ${onOneLine(to)}`).join("\n")),
]

function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}
