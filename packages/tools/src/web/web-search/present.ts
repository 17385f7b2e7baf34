import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** A numbered list, each result on two or three lines. */
export const present: Present<typeof manifest> = ({ results }) => {
  if (results.length === 0) return [text("No results; try other words")]
  const rows = results.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title}`, url, ...(snippet === "" ? [] : [snippet])].join("\n   "),
  )
  return [text(rows.join("\n"))]
}
