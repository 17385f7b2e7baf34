import { replyText } from "@haft/agent"
import {
  type ApiRecordedCall,
  type ApiTimeline,
  type ApiTimelineCall,
  type ApiTimelineTurn,
  type CallRecord,
  type SessionRecord,
  ToolError,
  type TurnRecord,
} from "@haft/contract"
import { inputText, RecordedOutcomes, replyOf } from "../events/journal-events.js"
import type { ServedJournal, ToolsHost } from "../host.js"
import { describeSession } from "./describe-session.js"
import { recordedView } from "./model-view.js"
import type { OpenSessions } from "./open-sessions.js"

// Rows are small, and their records are read one after the other.
const pageParts = 500
const subjectCharacters = 120

/** A page of what the journal has of a session, in order, after a place in it. */
export async function timelineOf(
  record: SessionRecord,
  {
    journal,
    sessions,
    after,
  }: { readonly journal: ServedJournal; readonly sessions: OpenSessions; readonly after: number },
): Promise<ApiTimeline> {
  const { id } = record
  const calls = new Map<string, ApiTimelineCall>()
  const turns = new Map<string, Turn>()
  const outcomes = new RecordedOutcomes(id, journal)
  const undone: { readonly callId: string; readonly at: number }[] = []
  let last = after
  let count = 0
  for await (const part of journal.parts(id, { after })) {
    if (count === pageParts) break
    count += 1
    last = part.index
    if (part.kind === "call") calls.set(part.call.callId, rowOf(part.call))
    else if (part.kind === "turn") await addTurn(turns, part.record, outcomes)
    else undone.push({ callId: part.callId, at: part.at })
  }
  const children = count === 0 ? [] : await journal.sessions({ parent: id, archived: true })
  return {
    session: await describeSession(record, journal, sessions.find(id)),
    calls: [...calls.values()],
    turns: [...turns.values()],
    undone,
    children: await Promise.all(
      children.map(async (child) => ({
        ...(await describeSession(child, journal, sessions.find(child.id))),
        ...(typeof child.metadata.call === "string" && { callId: child.metadata.call }),
      })),
    ),
    next: `${id}~${last}`,
    more: count === pageParts,
  }
}

/** Reads where a page begins. One that is of another session is an error. */
export function readPlace(session: string, cursor: string | undefined): number {
  if (cursor === undefined || cursor === "") return -1
  const [named, index, ...rest] = cursor.split("~")
  if (index === undefined || rest.length > 0 || !/^(-1|\d{1,15})$/.test(index)) {
    throw new ToolError("invalid_args", `Cannot go on from "${cursor.slice(0, 80)}": it is no place in a timeline`, {
      hint: "Use `next` of the page before, or leave it out to begin again",
    })
  }
  if (named === session) return Number(index)
  throw new ToolError("conflict", `Cannot go on from this place: it belongs to another session than "${session}"`, {
    hint: "Leave it out to begin again",
  })
}

/** Everything that the journal has of one call of a session. */
export async function recordedCallOf(
  session: string,
  callId: string,
  { journal, tools }: { readonly journal: ServedJournal; readonly tools: ToolsHost },
): Promise<ApiRecordedCall> {
  const call = await journal.call(callId)
  if (call?.callId !== callId || call.sessionId !== session) {
    throw new ToolError("not_found", `Cannot find call "${callId.slice(0, 100)}": the session has none with this id`)
  }
  const { id: _, sessionId: __, argumentsHash: ___, text, ...rest } = call
  const undoneAt = changesFiles(call) ? await journal.undoneAt(callId) : undefined
  return {
    ...rest,
    model: recordedView(text ?? tools.words(call), call.envelope),
    ...(undoneAt !== undefined && { undoneAt }),
  }
}

function rowOf({ callId, tool, name, arguments: args, ladder, answers, envelope, startedAt, endedAt }: CallRecord) {
  const end = envelope && (envelope.type === "output" ? "output" : (envelope.metadata.error_code ?? "internal"))
  return {
    ...{ callId, tool, name, startedAt, endedAt, verdict: ladder.verdict, subject: subjectOf(args) },
    ...(answers && answers.length > 0 && { asked: true }),
    ...(end !== undefined && { end }),
  } satisfies ApiTimelineCall as ApiTimelineCall
}

function subjectOf(args: unknown): string {
  const first = Object.values((args ?? {}) as Record<string, unknown>).find((value) => typeof value === "string")
  return typeof first === "string" ? first.slice(0, subjectCharacters) : ""
}

/** Only a call that changed files can have been undone. */
function changesFiles({ effects }: CallRecord): boolean {
  return effects.some(({ kind }) => kind === "fs.write" || kind === "fs.delete")
}

type Turn = { -readonly [Key in keyof ApiTimelineTurn]: ApiTimelineTurn[Key] }

async function addTurn(turns: Map<string, Turn>, record: TurnRecord, outcomes: RecordedOutcomes): Promise<void> {
  const { turnId, at } = record
  const turn = turns.get(turnId) ?? { turnId, replies: [] }
  turns.set(turnId, turn)
  if (record.kind === "start") {
    turn.text = inputText(record.input)
    turn.startedAt = at
  }
  const replied = replyOf(record)
  if (replied) {
    const { step, reply, calls } = replied
    const made = calls.map(({ id }) => id)
    turn.replies = [...turn.replies, { step, at, text: replyText(reply), usage: reply.usage, calls: made }]
  }
  if (record.kind !== "end") return
  turn.endedAt = at
  turn.outcome = await outcomes.of(record)
}
