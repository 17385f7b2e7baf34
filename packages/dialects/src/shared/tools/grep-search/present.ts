import { type Present, text } from "@haft/contract"
import { onOneLine } from "@haft/tools/search/shared/on-one-line.js"
import { quoted } from "@haft/tools/search/shared/quoted.js"
import { severalNotes } from "@haft/tools/search/shared/several-note.js"
import { skippedNotes } from "@haft/tools/search/shared/skipped.js"
import type { manifest } from "./manifest.js"

/** The lines or the files of the page, then what is known about the rest. */
export const present: Present<typeof manifest> = (output, { pattern, glob }) => {
  const { filenames, content, num_matches, applied_limit, complete } = output
  const shown = content === undefined ? filenames.map(onOneLine) : content === "" ? [] : [content]
  const notes = [
    ...(filenames.length === 0
      ? [`No line matches ${quoted(pattern)}`]
      : [`${filenames.length} ${filenames.length === 1 ? "file" : "files"}`]),
    ...(num_matches === undefined ? [] : [`${num_matches} matching lines`]),
    ...(applied_limit === undefined ? [] : [`cut at ${applied_limit}; go on with offset`]),
    ...(filenames.length === 0 ? severalNotes(glob) : []),
    ...(output.timed_out ? ["timed out; narrow path or glob"] : []),
    ...(complete || applied_limit !== undefined || output.timed_out ? [] : ["there may be more"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...shown, `[${notes.join("; ")}]`].join("\n"))]
}
