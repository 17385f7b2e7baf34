import type { JobView } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../../output.js"
import { textLimit } from "../output/output-limit.js"

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
      "What was moved or taken back of what it made: protected names, set-user-id bits; told when it has ended",
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
