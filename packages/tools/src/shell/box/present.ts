import type { Present } from "@haft/contract"
import { printedText } from "../shared/output/printed-text.js"
import { concealedNotes, wordedOutput } from "../shared/output/process-text.js"
import type { manifest } from "./manifest.js"

/** What the command printed, then how it ended where that is worth a line. */
export const present: Present<typeof manifest> = (output, { timeout }) => {
  const { exit_code, timed_out, isolation } = output
  const printed = printedText(output)
  const notes = [
    ...(timed_out ? [`timed out after ${timeout} ms`] : exit_code === 0 ? [] : [`exit code ${exit_code}`]),
    // A weaker wall than a machine is the operator's choice and must be seen.
    ...(isolation.level.startsWith("vm") ? [] : [`isolation: ${isolation.level}`]),
    ...concealedNotes(printed),
  ]
  return wordedOutput(printed, notes)
}
