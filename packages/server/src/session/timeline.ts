import { replyText } from "@haft/agent"
import {
  type ApiTimeline,
  type ApiTimelineCall,
  type ApiTimelineTurn,
  type CallRecord,
  hiddenTurns,
  type SessionRecord,
  type TurnRecord,
} from "@haft/contract"
import { inputText, replyOf, turnOutcome } from "../events/journal-events.js"
import type { ServedJournal, ToolsHost } from "../host.js"
import { describeSession } from "./describe-session.js"
import { recordedView } from "./model-view.js"
import type { OpenSessions } from "./open-sessions.js"

/** Everything that the journal has of a session, in order. */
export async function timelineOf(
  record: SessionRecord,
  {
    journal,
    tools,
    sessions,
  }: { readonly journal: ServedJournal; readonly tools: ToolsHost; readonly sessions: OpenSessions },
): Promise<ApiTimeline> {
  const { id } = record
  const [calls, records, all, chain] = await Promise.all([
    journal.calls(id),
    journal.records(id),
    journal.sessions({ archived: true }),
    journal.verify(id),
  ])
  const children = all.filter(({ metadata }) => metadata.parent === id)
  const childOf = new Map(children.map((child) => [child.metadata.call, child.id]))
  const turnOf = callTurns(records)
  return {
    session: await describeSession({ ...record, calls: calls.length }, journal, sessions.find(id)),
    calls: await Promise.all(
      calls.map(async (call) => ({
        ...timelineCall(call, tools),
        ...optional("turnId", turnOf.get(call.callId)),
        ...optional("child", childOf.get(call.callId)),
        ...optional("undoneAt", await undone(call, journal)),
      })),
    ),
    turns: timelineTurns(records),
    children: await Promise.all(children.map((child) => describeSession(child, journal, sessions.find(child.id)))),
    chain: chain.ok ? { ok: true } : { ok: false, message: chain.message },
  }
}

function timelineCall(call: CallRecord, tools: ToolsHost): ApiTimelineCall {
  const { id: _, sessionId: __, argumentsHash: ___, text, ...rest } = call
  return { ...rest, model: recordedView(text ?? tools.words(call), call.envelope) }
}

/** Only a call that changed files can have been undone. */
async function undone({ callId, effects }: CallRecord, journal: ServedJournal): Promise<number | undefined> {
  return effects.some(({ kind }) => kind === "fs.write" || kind === "fs.delete") ? journal.undoneAt(callId) : undefined
}

function callTurns(records: readonly TurnRecord[]): ReadonlyMap<string, string> {
  const turns = new Map<string, string>()
  for (const record of records) for (const { id } of replyOf(record)?.calls ?? []) turns.set(id, record.turnId)
  return turns
}

function timelineTurns(records: readonly TurnRecord[]): readonly ApiTimelineTurn[] {
  const turns = new Map<string, { -readonly [Key in keyof ApiTimelineTurn]: ApiTimelineTurn[Key] }>()
  for (const record of records) {
    const { turnId, at } = record
    if (record.kind === "start") {
      turns.set(turnId, { turnId, text: inputText(record.input), startedAt: at, endedAt: null, replies: [] })
    }
    const turn = turns.get(turnId)
    if (!turn) continue
    const replied = replyOf(record)
    if (replied) {
      const { step, reply, calls } = replied
      const made = calls.map(({ id }) => id)
      turn.replies = [...turn.replies, { step, at, text: replyText(reply), usage: reply.usage, calls: made }]
    }
    if (record.kind !== "end") continue
    turn.endedAt = at
    turn.outcome = turnOutcome(record.result)
  }
  const hidden = hiddenTurns(records)
  return [...turns.values()].map((turn) => (hidden.has(turn.turnId) ? { ...turn, hidden: true } : turn))
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [Name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Name in Key]?: Value })
}
