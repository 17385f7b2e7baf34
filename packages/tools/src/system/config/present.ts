import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The setting with its value, as JSON: a list and a text look different then. */
export const present: Present<typeof manifest> = (output) => {
  const { setting, value } = output
  const before = "previous_value" in output ? ` (before: ${JSON.stringify(output.previous_value)})` : ""
  return [text(`${setting.slice(0, 200)} = ${JSON.stringify(value)}${before}`)]
}
