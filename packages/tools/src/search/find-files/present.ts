import { type Present, text } from "@haft/contract"
import { onOneLine } from "../shared/on-one-line.js"
import { skippedNotes } from "../shared/skipped.js"
import type { manifest } from "./manifest.js"

/** One path a line, then how many there are and whether that is all. */
export const present: Present<typeof manifest> = (output, { query = "" }) => {
  const { paths, complete, total } = output
  const count = (number: number) => `${number} ${number === 1 ? "file" : "files"}`
  const shown =
    total === undefined || total === paths.length ? count(paths.length) : `${paths.length} of ${count(total)}`
  const notes = [
    paths.length === 0 ? "No file fits" : shown,
    ...(paths.length === 0 && /[*?]/.test(query) ? ["names are plain text here, * and ? are no wildcards"] : []),
    ...(output.timed_out ? ["timed out; narrow path or query"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; raise limit or narrow the search"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...paths.map(onOneLine), `[${notes.join("; ")}]`].join("\n"))]
}
