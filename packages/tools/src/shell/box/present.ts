import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** What the command printed, then how it ended where that is worth a line. */
export const present: Present<typeof manifest> = ({ stdout, stderr, exit_code, timed_out, isolation }, { timeout }) => {
  const streams = [
    ...(stdout === "" ? [] : [withoutLastBreak(stdout)]),
    ...(stderr === "" ? [] : [`[stderr]\n${withoutLastBreak(stderr)}`]),
  ]
  const notes = [
    ...(timed_out ? [`timed out after ${timeout} ms`] : exit_code === 0 ? [] : [`exit code ${exit_code}`]),
    // A weaker wall than a machine is the operator's choice and must be seen.
    ...(isolation.level.startsWith("vm") ? [] : [`isolation: ${isolation.level}`]),
  ]
  const shown = streams.length === 0 ? ["[No output]"] : streams
  return [text([...shown, ...(notes.length === 0 ? [] : [`[${notes.join("; ")}]`])].join("\n"))]
}

function withoutLastBreak(value: string): string {
  return value.replace(/\r?\n$/, "")
}
