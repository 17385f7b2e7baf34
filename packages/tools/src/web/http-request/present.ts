import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The answer as it would stand on the wire. */
export const present: Present<typeof manifest> = ({ status, status_text, headers, body, cut }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const rest = cut ? "\n[The body goes on past 5 MB]" : ""
  return [
    text([`${status} ${status_text}`.trim(), ...lines, "", body === "" ? "[No body]" : `${body}${rest}`].join("\n")),
  ]
}
