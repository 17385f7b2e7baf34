import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** A line for each tool, its description cut to one. */
export const present: Present<typeof manifest> = ({ matches }) => {
  if (matches.length === 0) return [text("No tool matches; try other words, or an empty query for the list")]
  return [text(matches.map(({ id, description }) => `${id}: ${oneLine(description)}`).join("\n"))]
}

function oneLine(description: string): string {
  const line = description.replace(/\s+/g, " ").trim()
  return line.length > 200 ? `${line.slice(0, 197)}...` : line
}
