import type { CommandOutcome } from "@haft/contract"
import * as z from "zod"
import { changesField, changesSchema } from "./changes.js"
import { processData, processFields } from "./process-data.js"

/** The output fields of a command. */
export const commandFields = {
  ...processFields,
  signal: z.string().optional().describe("The signal that ended it"),
  changes: changesSchema,
  refused: z.array(z.string()).optional().describe("Hosts that it was not let go to, each with the reason"),
  ended_processes: z.int().min(1).optional().describe("Processes that it left behind and that were ended with it"),
  survivors: z.array(z.int()).optional().describe("Processes that could not be ended"),
}

const commandSchema = z.strictObject(commandFields)

/** The data of a command. */
export type CommandData = z.infer<typeof commandSchema>

/** The data of a command that ran, with streams that fit into the limit. */
export function commandData(outcome: CommandOutcome, maxBytes: number): CommandData {
  const { signal, changes, refused = [], teardown } = outcome
  return {
    ...processData(outcome, maxBytes),
    ...(signal !== undefined && { signal }),
    ...changesField(changes),
    ...(refused.length > 0 && {
      refused: refused.map(({ destination, reason }) => `${destination}: ${reason}`),
    }),
    ...(teardown.ended > 0 && { ended_processes: teardown.ended }),
    ...(teardown.survivors.length > 0 && { survivors: [...teardown.survivors] }),
  }
}
