import { type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

type Output = OutputOf<typeof manifest>
type Item = Output["items"][number]

/** Each file once with its places below it, then what hover shows, then who said it. */
export const present: Present<typeof manifest> = (output, { action }) => {
  const { items, server, fresh, skipped } = output
  const notes = [
    countOf(output, action),
    ...(fresh ? [] : ["not fresh: ask again, or run the project's own check"]),
    ...(skipped ? [`${skipped.denied} left out by rules`] : []),
    server,
  ]
  const words = output.text === undefined ? [] : [output.text]
  return [text([...inFiles(items), ...words, `[${notes.join("; ")}]`].join("\n"))]
}

function countOf({ items, text: words, fresh }: Output, action: string): string {
  if (action === "hover") return words === undefined ? "Nothing is known about this place" : "hover"
  if (action === "diagnostics" && items.length === 0) return fresh ? "No problems" : "No answer about the current text"
  const [one, many] = names[action] ?? ["place", "places"]
  return items.length === 0 ? `No ${many}` : `${items.length} ${items.length === 1 ? one : many}`
}

const names: Readonly<Record<string, readonly [string, string]>> = {
  definition: ["definition", "definitions"],
  references: ["reference", "references"],
  symbols: ["symbol", "symbols"],
  diagnostics: ["problem", "problems"],
}

function inFiles(items: readonly Item[]): readonly string[] {
  return items.flatMap((item, index) => {
    const isFirst = items[index - 1]?.path !== item.path
    return [...(isFirst ? [onOneLine(item.path)] : []), lineOf(item)]
  })
}

function lineOf({ line, character, text: words, kind, severity }: Item): string {
  // A message of several lines stays below its place.
  const shown = words.replaceAll(/\s*\n\s*/g, "\n    ")
  const about = severity ? ` (${[severity, kind].filter(Boolean).join(", ")})` : kind ? ` (${kind})` : ""
  return `${line}:${character} ${shown}${about}`
}

/** A path as one line: one that holds line breaks would look like several. */
function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}
