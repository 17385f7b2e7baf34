import {
  type CallRecord,
  type TurnInput,
  type TurnOutcome,
  type TurnRecord,
  type TurnResult,
  usageOf,
} from "@haft/contract"
import { recordedReply } from "./recorded-conversation.js"
import { TurnState } from "./turn-state.js"

/** What the journal has of a session's turns. */
export interface RecordedTurns {
  readonly records: readonly TurnRecord[]
  readonly calls: readonly CallRecord[]
}

/**
 * How a turn ended. For one that did not come to an end of its own, what it had done until then is made from the records and
 * calls of its session, so that every process says the same.
 */
export function recordedOutcome(turnId: string, result: TurnResult, { records, calls }: RecordedTurns): TurnOutcome {
  if (result.state === "done") return result.value as unknown as TurnOutcome
  const turn = new TurnState({})
  const made = new Set<string>()
  for (const record of records) {
    if (record.turnId !== turnId) continue
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
