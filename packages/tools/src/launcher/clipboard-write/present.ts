import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges with the length: the model has just written the text. */
export const present: Present<typeof manifest> = ({ source }, input) => {
  const what = input.text === "" ? "Cleared" : `Copied ${input.text.length} characters to`
  return [
    text(
      source === "system"
        ? `${what} the clipboard`
        : `${what} a buffer of this session; this machine has no display, so the user cannot paste it`,
    ),
  ]
}
