import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

// The long tail of languages is in the data; a model needs the large ones.
const maxLanguages = 10

/** The tree, then the languages on one line, then how many files there are. */
export const present: Present<typeof manifest> = ({ tree, languages, file_count, complete, denied }) => {
  const shares = languages
    .slice(0, maxLanguages)
    .map(({ name, files, share }) => `${name} ${percent(share)} (${files})`)
  const notes = [
    file_count === 0 ? "No files" : `${file_count} ${file_count === 1 ? "file" : "files"}`,
    ...(complete ? [] : ["there are more; look at one folder at a time"]),
    ...(denied === undefined ? [] : [`${denied} left out by rules`]),
  ]
  return [
    text(
      [
        ...(tree === "" ? [] : [tree]),
        ...(shares.length === 0 ? [] : [`Languages by bytes (files): ${shares.join(", ")}`]),
        `[${notes.join("; ")}]`,
      ].join("\n"),
    ),
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
