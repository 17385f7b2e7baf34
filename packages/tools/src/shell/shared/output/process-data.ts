import type { CapturedStream, Isolation } from "@haft/contract"
import * as z from "zod"
import { fitStreams } from "./fit-streams.js"
import { isolationField, isolationSchema } from "./isolation.js"

/** The output fields of everything that runs code to its end. */
export const processFields = {
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int().nullable().describe("Null when it did not exit by itself"),
  timed_out: z.boolean(),
  isolation: isolationSchema,
}

/** What every run to the end has in common. */
export interface ProcessOutcome {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
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
