import { type Content, text } from "@haft/contract"
import { cleanOutput } from "../output/clean-output.js"
import { concealedNotes } from "../output/process-text.js"
import type { JobData } from "./job-data.js"

/** What the job printed, as a terminal would show it, then what has become of it. */
export function jobText(job: JobData, whenSilent = "[No new output]"): readonly Content[] {
  const lost = job.lost_bytes === undefined ? [] : [lostNote(job.lost_bytes)]
  const shown = cleanOutput(job.output)
  const printed = shown.text === "" ? whenSilent : shown.text.replace(/\n$/, "")
  const notes = [`job ${job.id} ${stateOf(job)}`, ...(job.quarantined ?? []), ...concealedNotes(shown)]
  const output = [...lost, ...(printed === "" ? [] : [printed])]
  return [...(output.length === 0 ? [] : [text(output.join("\n"))]), text(`[${notes.join("; ")}]`)]
}

function lostNote(bytes: number): string {
  return bytes === 1 ? "[1 byte before this is no longer kept]" : `[${bytes} bytes before this are no longer kept]`
}

function stateOf({ state, exit_code, signal, note, ready }: JobData): string {
  if (note !== undefined) return `was ended: ${note}`
  if (state === "running")
    return ready === undefined ? "is running" : ready ? "is running and ready" : "is not ready yet"
  if (state === "stopped") return "was stopped"
  if (typeof exit_code === "number") return `exited with code ${exit_code}`
  return signal === undefined ? "ended" : `was ended by ${signal}`
}
