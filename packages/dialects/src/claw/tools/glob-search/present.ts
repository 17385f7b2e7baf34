import { type Present, text } from "@haft/contract"
import { onOneLine } from "@haft/tools/search/shared/on-one-line.js"
import { quoted } from "@haft/tools/search/shared/quoted.js"
import { severalNotes } from "@haft/tools/search/shared/several-note.js"
import { skippedNotes } from "@haft/tools/search/shared/skipped.js"
import type { manifest } from "./manifest.js"

/** One path a line, then how many there are and whether that is all. */
export const present: Present<typeof manifest> = (output, { pattern }) => {
  const { paths, complete } = output
  const notes = [
    paths.length === 0
      ? `No file matches ${quoted(pattern)}`
      : `${paths.length} ${paths.length === 1 ? "file" : "files"}, newest first`,
    ...(paths.length === 0 ? severalNotes(pattern) : []),
    ...(output.timed_out ? ["timed out; narrow path or pattern"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; narrow path or pattern"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...paths.map(onOneLine), `[${notes.join("; ")}]`].join("\n"))]
}
