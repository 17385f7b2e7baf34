import {
  type CallRecord,
  type TurnInput,
  type TurnOutcome,
  type TurnRecord,
  type TurnResult,
  usageOf,
} from "@haft/contract"
import { recordedReply } from "./conversation.js"
import { TurnState } from "./turn-state.js"

/**
 * How a turn ended that did not come to an end of its own, with what it had done until then: from its records and the calls of
 * its session, so that every process says the same.
 */
export function recordedOutcome(
  result: Exclude<TurnResult, { state: "done" }>,
  records: readonly TurnRecord[],
  calls: readonly CallRecord[],
): TurnOutcome {
  const turn = new TurnState({})
  const made = new Set<string>()
  for (const record of records) {
    if (record.kind === "start") turn.spend((record.input as Partial<TurnInput> | null)?.usage)
    if (record.kind !== "step") continue
    const reply = recordedReply(record)
    if (!reply) turn.spend(usageOf(record))
    else {
      turn.take(reply)
      for (const { id } of reply.calls) made.add(id)
    }
  }
  for (const { callId, envelope } of calls) if (made.has(callId)) turn.spend(envelope?.metadata.usage)
  const message = result.state === "aborted" ? result.reason : result.message
  return turn.end(result.state, { message })
}
