import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The answers by number: the model knows its questions. */
export const present: Present<typeof manifest> = ({ answers }) => [
  text(answers.map((each, index) => `${index + 1}. ${each.length === 0 ? "(no answer)" : each.join(", ")}`).join("\n")),
]
