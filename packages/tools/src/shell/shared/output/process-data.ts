import type { Isolation } from "@haft/contract"
import * as z from "zod"
import { fitStreams, type KeptOutput } from "./fit-streams.js"
import { isolationField, isolationSchema } from "./isolation.js"

/** In which order the streams were read, where that is not all of stdout first. */
export const orderSchema = z
  .array(z.int().min(0))
  .optional()
  .describe("Characters of stdout, then of stderr, then of stdout and so on, in the order in which they were read")

/** The output fields of everything that runs code to its end. */
export const processFields = {
  stdout: z.string(),
  stderr: z.string(),
  order: orderSchema,
  exit_code: z.int().nullable().describe("Null when it did not exit by itself"),
  timed_out: z.boolean(),
  isolation: isolationSchema,
}

/** What every run to the end has in common. */
export interface ProcessOutcome extends KeptOutput {
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly isolation: Isolation
}

/** These fields of an outcome, with streams that fit into the limit. */
export function processData(outcome: ProcessOutcome, maxBytes: number) {
  return {
    ...fitStreams(outcome, maxBytes),
    exit_code: outcome.exitCode,
    timed_out: outcome.timedOut,
    isolation: isolationField(outcome.isolation),
  }
}
