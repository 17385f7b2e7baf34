import {
  type CallRecord,
  type EventBody,
  hiddenTurns,
  type Json,
  type TurnInput,
  type TurnRecord,
} from "@haft/contract"
import {
  type CallOutcome,
  type Compacted,
  Conversation,
  type Marker,
  stepKeys,
  type TurnReply,
} from "./conversation.js"

/** The conversation of a session's turns before this one, from its record. */
export function conversationOf(
  records: readonly TurnRecord[],
  { before, calls }: { readonly before?: string; readonly calls: ReadonlyMap<string, CallRecord> },
): Conversation {
  const conversation = new Conversation()
  const hidden = hiddenTurns(records)
  for (const [turnId, own] of turnsOf(records)) {
    if (turnId === before) break
    if (hidden.has(turnId)) continue
    for (const record of own) {
      if (record.kind === "start") {
        conversation.add({ role: "user", id: record.turnId, input: record.input as unknown as TurnInput })
      }
      if (record.kind === "step") readStep(conversation, record, calls)
    }
  }
  return conversation
}

/** Records by turn, in the order in which the turns ran: a message that waited was recorded during the turn before its own. */
function turnsOf(records: readonly TurnRecord[]): ReadonlyMap<string, readonly TurnRecord[]> {
  const turns = new Map<string, TurnRecord[]>()
  for (const record of records) {
    const own = turns.get(record.turnId)
    if (own) own.push(record)
    else turns.set(record.turnId, [record])
  }
  return turns
}

function readStep(conversation: Conversation, record: StepRecord, calls: ReadonlyMap<string, CallRecord>): void {
  const { key, turnId, value } = record
  const reply = recordedReply(record)
  const marker = recordedMarker(record)
  if (key === stepKeys.prompt) conversation.prompt = value as string
  else if (marker) conversation.mark(marker)
  else if (reply) {
    conversation.add({ role: "reply", id: `${turnId}/${key}`, reply })
    const results = reply.calls.flatMap(({ id }) => {
      const record = calls.get(id)
      return record?.envelope ? [outcomeOf(record)] : []
    })
    if (reply.calls.length > 0) conversation.add({ role: "results", id: `${turnId}/${key}/results`, results })
  }
}

/** The reply that the record of a step holds; undefined for another step, and where the model failed. */
export function recordedReply({ key, value }: StepRecord): TurnReply | undefined {
  if (!key.startsWith("reply:")) return undefined
  const kept = value as { readonly ok: boolean } & Json
  return kept.ok ? (kept as unknown as TurnReply) : undefined
}

/** What the record of a compaction says to those who watch; undefined for another record, and for one that changed nothing. */
export function recordedCompaction(record: TurnRecord): CompactionEnd | undefined {
  if (record.kind !== "step") return undefined
  const marker = recordedMarker(record)
  return marker && compactionEnd(record.turnId, Number(record.key.slice("context:".length)), marker)
}

function recordedMarker({ key, value }: StepRecord): Marker | undefined {
  if (!key.startsWith("context:")) return undefined
  const compacted = value as unknown as Compacted
  return "pruned" in compacted ? compacted : undefined
}

/** What a marker says to those who watch. */
export function compactionEnd(turn: string, step: number, { pruned, summary, usage }: Marker): CompactionEnd {
  // A marker that only leaves out more results keeps the summary of the one before, without what it used.
  const written = usage && summary !== undefined && { summary, usage }
  return { type: "compaction-end", turn, step, leftOut: pruned.length, ...written }
}

type CompactionEnd = Extract<EventBody, { type: "compaction-end" }>
type StepRecord = Extract<TurnRecord, { kind: "step" }>

/** What the model reads of a call that is in the journal. */
export function outcomeOf({ callId, envelope, text }: CallRecord): CallOutcome {
  const isError = envelope?.type !== "output"
  const words = envelope?.type === "error" ? errorText(envelope) : JSON.stringify(envelope?.data ?? null)
  const { usage, error_code } = envelope?.metadata ?? {}
  const refused = error_code === "denied" && { refused: true as const }
  return { call: callId, text: text ?? words, isError, ...refused, ...(usage && { usage }) }
}

function errorText({ error_text, metadata: { hint } }: { error_text: string; metadata: { hint?: string } }): string {
  return hint === undefined ? error_text : `${error_text}\n${hint}`
}
