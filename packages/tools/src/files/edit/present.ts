import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges the edit; neither the old nor the new text is repeated. */
export const present: Present<typeof manifest> = (output) => {
  const { file_path, replacements, first_line, normalised, encoding_guessed } = output
  const place =
    replacements === 1
      ? `1 replacement at line ${first_line}`
      : `${replacements} replacements from line ${first_line} on`
  const notes = [
    normalised === undefined ? [] : [`found by disregarding ${normalised}`],
    encoding_guessed === undefined ? [] : [`written as ${encoding_guessed}, a guess`],
  ].flat()
  return [text(`Edited ${file_path}: ${place}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`)]
}
