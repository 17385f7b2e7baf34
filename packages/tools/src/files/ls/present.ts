import { type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** One entry a line: directories end in `/`, links in `@`, files carry their size. */
export const present: Present<typeof manifest> = ({ entries, complete, denied }) => {
  const lines = entries.map(entryLine)
  const notes = [
    entries.length === 0 ? "No entries" : `${entries.length} ${entries.length === 1 ? "entry" : "entries"}`,
    ...(complete ? [] : ["there are more; use glob with a narrower pattern"]),
    ...(denied === undefined ? [] : [`${denied} left out by rules`]),
  ]
  return [text([...lines, `[${notes.join("; ")}]`].join("\n"))]
}

function entryLine({ name, type, size }: OutputOf<typeof manifest>["entries"][number]): string {
  const shown = oneLine(name)
  if (type === "directory") return `${shown}/`
  if (type === "link") return `${shown}@`
  return type === "file" ? `${shown}\t${size}` : `${shown}\t(not a regular file)`
}

// A name may hold line breaks, which would look like further entries.
function oneLine(name: string): string {
  return /[\n\r\t]/.test(name) ? JSON.stringify(name) : name
}
