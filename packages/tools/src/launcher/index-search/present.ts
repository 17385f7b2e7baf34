import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** A line for each thing, best first: its id, and its name where the id does not say it. */
export const present: Present<typeof manifest> = ({ results, denied }) => {
  const lines = results.map(({ id, name }) =>
    id.endsWith(name) ? onOneLine(id) : `${onOneLine(id)}  ${onOneLine(name)}`,
  )
  const notes = [
    ...(results.length === 0 ? ["Nothing found"] : []),
    ...(denied === undefined ? [] : [`${denied} ${denied === 1 ? "file" : "files"} left out by rules`]),
  ]
  return [text([...lines, ...(notes.length > 0 ? [`[${notes.join("; ")}]`] : [])].join("\n"))]
}

/** A name that holds line breaks would look like several. */
function onOneLine(name: string): string {
  return /[\n\r]/.test(name) ? JSON.stringify(name) : name
}
