import { type Content, type JobView, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../../output.js"
import { cleanOutput } from "../output/clean-output.js"
import { concealedNotes, textLimit } from "../output/command-text.js"

/** The output of every tool for jobs. */
export const jobOutputSchema = outputSchema({
  id: z.string(),
  state: z.enum(["running", "exited", "stopped"]),
  output: z.string().describe("What it printed since the last look"),
  next: z.int().min(0).describe("Bytes of its output that were looked at so far"),
  exit_code: z.int().nullable().optional().describe("Null when it did not exit by itself"),
  signal: z.string().optional().describe("The signal that ended it"),
  note: z.string().optional().describe("Why it was ended, when nobody asked for it"),
  quarantined: z
    .array(z.string())
    .optional()
    .describe(
      "What was moved or taken back of what it made: protected names, set-user-id bits; reported when it has ended",
    ),
  ready: z.boolean().optional(),
  lost_bytes: z.int().min(1).optional().describe("Bytes before these that are no longer kept"),
})

/** The data of a tool for jobs. */
export type JobData = z.infer<typeof jobOutputSchema>

/** How much of a job's output one look may give. */
export const jobOutputLimit = {
  unit: "bytes",
  max: 200_000,
  past: "sidecar",
  fields: ["output"],
  keep: "head-and-tail",
  text: textLimit,
} as const

/** A job as a call returns it. */
export function jobData(view: JobView): JobData {
  const { id, state, output, next, exitCode, signal, note, quarantined, ready, lostBytes } = view
  return {
    id,
    state,
    output,
    next,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(signal !== undefined && { signal }),
    ...(note !== undefined && { note }),
    ...(quarantined !== undefined && { quarantined: [...quarantined] }),
    ...(ready !== undefined && { ready }),
    ...(lostBytes > 0 && { lost_bytes: lostBytes }),
  }
}

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
