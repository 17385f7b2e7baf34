import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The text of the command, then what was left out, switched off or not confined. */
export const present: Present<typeof manifest> = (output) => {
  const { denied, neutralised, isolation } = output
  const notes = [
    ...(denied === undefined ? [] : [`${denied} ${denied === 1 ? "file" : "files"} left out by rules`]),
    ...(neutralised === undefined || neutralised.length === 0 ? [] : [`not run: ${neutralised.join(", ")}`]),
    ...(isolation?.level === "none" ? ["ran outside the sandbox"] : []),
  ]
  return [text([output.text, ...(notes.length > 0 ? [`[${notes.join("; ")}]`] : [])].join("\n"))]
}
