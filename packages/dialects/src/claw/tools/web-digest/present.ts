import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The digest, with the status where it is no success. */
export const present: Present<typeof manifest> = ({ code, code_text, result }) => [
  text(code >= 200 && code < 300 ? result : `${code} ${code_text}\n${result}`),
]
