import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The text itself. */
export const present: Present<typeof manifest> = ({ content, total_lines }) => [
  text(
    content === "" ? (total_lines === 0 ? "[The file is empty]" : `[No such line: there are ${total_lines}]`) : content,
  ),
]
