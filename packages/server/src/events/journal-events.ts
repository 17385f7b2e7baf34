import { type RecordedTurns, recordedCompaction, recordedOutcome, replyText, type TurnReply } from "@haft/agent"
import type { CallRecord, EventBody, SessionEvent, TurnOutcome, TurnRecord } from "@haft/contract"
import type { JournalPart, ServedJournal } from "../host.js"
import { units } from "./unit-of.js"

/** A recorded event with the unit that it belongs to. */
export interface RecordedEvent {
  readonly unit: string
  readonly event: SessionEvent
}

/** The journal as far as events are made of it. */
export type EventJournal = Pick<ServedJournal, "parts" | "sessions" | "lastIndex" | "records" | "calls">

/** What a journal has of a session, up to an index or all of it, as the events that reported it. */
export async function* journalEvents(
  session: string,
  journal: EventJournal,
  upTo?: number,
): AsyncGenerator<RecordedEvent> {
  const children = await recordedChildren(session, journal)
  const outcomes = new RecordedOutcomes(session, journal)
  let seq = 0
  for await (const part of journal.parts(session, upTo === undefined ? {} : { upTo })) {
    for (const recorded of await partEvents(session, part, { children, outcomes })) yield numbered(recorded, ++seq)
  }
}

/** The events that reported one record. */
export async function partEvents(
  session: string,
  part: JournalPart,
  { children, outcomes }: { readonly children: RecordedChildren; readonly outcomes: RecordedOutcomes },
): Promise<readonly RecordedEvent[]> {
  if (part.kind === "undo") return []
  const events = part.kind === "call" ? callEvents(part.call, children) : await turnEvents(part.record, outcomes)
  return events.map(({ unit, at, event }) => ({ unit, event: { ...event, session, seq: part.index, at } }))
}

/** What reported the sessions that the calls of a session started, by call. */
export type RecordedChildren = ReadonlyMap<string, readonly { readonly at: number; readonly event: EventBody }[]>

// Notes of undo and late effects may come behind the end of a turn.
const lookedBack = 16

/** Reads the sessions that worked for a session. One has ended when the end of a turn is the last of its turns. */
export async function recordedChildren(session: string, journal: EventJournal): Promise<RecordedChildren> {
  const found = new Map<string, { readonly at: number; readonly event: EventBody }[]>()
  for (const { id: child, agent, createdAt, metadata } of await journal.sessions({ parent: session, archived: true })) {
    const { call } = metadata
    if (typeof call !== "string") continue
    const events = found.get(call) ?? []
    found.set(call, events)
    events.push({ at: createdAt, event: { type: "child-start", call, child, agent } })
    let last: TurnRecord | undefined
    for await (const part of journal.parts(child, { after: (await journal.lastIndex(child)) - lookedBack })) {
      if (part.kind === "turn") last = part.record
    }
    if (last?.kind !== "end") continue
    const outcome = await new RecordedOutcomes(child, journal).of(last)
    events.push({ at: last.at, event: { type: "child-end", call, child, outcome } })
  }
  return found
}

function numbered({ unit, event }: RecordedEvent, seq: number): RecordedEvent {
  return { unit, event: { ...event, seq } }
}

interface TimedEvent {
  readonly unit: string
  readonly at: number
  readonly event: EventBody
}

function callEvents(record: CallRecord, children: RecordedChildren): readonly TimedEvent[] {
  const { callId: call, tool, rawArguments, envelope, answers = [], startedAt, endedAt } = record
  const unit = units.call(call)
  const timed = (at: number, event: EventBody): TimedEvent => ({ unit, at, event })
  return [
    timed(startedAt, { type: "tool-call", call, tool, arguments: rawArguments }),
    ...answers.map(({ answer, at }) => timed(at, { type: "answer", call, answer })),
    ...(children.get(call) ?? []).map(({ at, event }) => timed(at, event)),
    ...(envelope ? [timed(endedAt ?? startedAt, { type: "tool-end", call, tool, envelope })] : []),
  ]
}

async function turnEvents(record: TurnRecord, outcomes: RecordedOutcomes): Promise<readonly TimedEvent[]> {
  const { turnId: turn, at } = record
  if (record.kind === "start") {
    return [{ unit: units.turn(turn), at, event: { type: "turn-start", turn, text: inputText(record.input) } }]
  }
  if (record.kind === "end") {
    return [{ unit: units.turn(turn), at, event: { type: "turn-end", turn, outcome: await outcomes.of(record) } }]
  }
  const compaction = recordedCompaction(record)
  if (compaction) return [{ unit: units.compaction(turn, compaction.step), at, event: compaction }]
  const replied = replyOf(record)
  if (!replied) return []
  const { step, reply } = replied
  const event = { type: "reply", turn, step, text: replyText(reply), usage: reply.usage } as const
  return [{ unit: units.reply(turn, step), at, event }]
}

/** The reply that a record of a step holds. */
export function replyOf(record: TurnRecord): ({ readonly step: number } & TurnReply) | undefined {
  if (record.kind !== "step" || !record.key.startsWith("reply:")) return undefined
  const value = record.value as unknown as { readonly ok: boolean } & TurnReply
  return value.ok
    ? { step: Number(record.key.slice("reply:".length)), reply: value.reply, calls: value.calls }
    : undefined
}

/** What was sent, of the input of a turn. */
export function inputText(input: unknown): string {
  if (typeof input === "string") return input
  const text = (input as { readonly text?: unknown } | null)?.text
  return typeof text === "string" ? text : ""
}

/** How the recorded turns of a session ended. What those had done that were stopped is read when the first of them is met. */
export class RecordedOutcomes {
  private whole: Promise<RecordedTurns> | undefined

  constructor(
    private readonly session: string,
    private readonly journal: Pick<ServedJournal, "records" | "calls">,
  ) {}

  async of({ turnId, result }: Extract<TurnRecord, { kind: "end" }>): Promise<TurnOutcome> {
    if (result.state === "done") return result.value as unknown as TurnOutcome
    this.whole ??= this.read()
    return recordedOutcome(turnId, result, await this.whole)
  }

  private async read(): Promise<RecordedTurns> {
    const [records, calls] = await Promise.all([this.journal.records(this.session), this.journal.calls(this.session)])
    return { records, calls }
  }
}
