import { type Present, text } from "@haft/contract"
import { todoSummary } from "../../kept-todos.js"
import type { manifest } from "./manifest.js"

/** The list with its places, because the next change names them. */
export const present: Present<typeof manifest> = ({ applied, todos }) => {
  const lines = todos.map(({ content, status }, index) => `${index}. [${status}] ${shortened(content)}`)
  return [text([`Applied ${applied}: ${todoSummary(todos)}`, ...lines].join("\n"))]
}

function shortened(content: string): string {
  const line = content.replace(/\s+/g, " ")
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
