import type { Envelope } from "haft"

/** The data of a call; a failed call ends the benchmark, because its time would mean nothing. */
export function mustSucceed(envelope: Envelope): Record<string, unknown> {
  if (envelope.type === "error") throw new Error(`a measured call failed: ${envelope.error_text}`)
  return envelope.data as Record<string, unknown>
}
