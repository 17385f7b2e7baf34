import { type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** One line a file, without repeating the patch. */
export const present: Present<typeof manifest> = ({ files }) => {
  const count = files.length === 1 ? "1 file" : `${files.length} files`
  return [text([`Applied the patch to ${count}`, ...files.map(lineOf)].join("\n"))]
}

function lineOf({ path, action, hunks, from, note }: OutputOf<typeof manifest>["files"][number]): string {
  const name = from === undefined ? path : `${from} -> ${path}`
  const count =
    action === "update" || (action === "move" && hunks > 0) ? `, ${hunks} ${hunks === 1 ? "hunk" : "hunks"}` : ""
  return `${action} ${onOneLine(name)}${count}${note === undefined ? "" : ` (${note})`}`
}

function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}
