import { hash } from "node:crypto"
import type { CallRecord, Usage } from "@haft/contract"
import { createId } from "./create-id.js"
import { type PackedCall, packCall, packEnvelope, unpackCall } from "./packed-call.js"
import { maxJsonDepth, type Redactor } from "./redact/create-redactor.js"
import type { MessageRow, PartRow, ToolState } from "./schema/tables.js"

/** A part that is ready to be written but for its place: message, index and link are given when it is committed. */
export interface PartDraft {
  readonly id: string
  readonly sessionId: string
  readonly type: string
  /** Null for a part that is no call and no note about one. */
  readonly callId: string | null
  readonly state: ToolState | null
  /** The turn that the message is made for, when this part needs a new one. */
  readonly turnId?: string
  /** What a user sends is a message of its own; all else is the assistant's. */
  readonly role?: "user"
  /** The record as JSON, redacted. */
  readonly text: string
  /** An open call is not in the chain: the chain covers its settled form. */
  readonly chained: boolean
  /** False for what a power cut may take: a call that changed nothing and can be made again. */
  readonly synced: boolean
  /** What the session's sums grow by. */
  readonly usage?: Usage | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

/** The end of a session's parts: where the next one goes. */
export interface Tail {
  /** The last message; undefined when there is none yet. */
  readonly message: Pick<MessageRow, "id" | "role" | "created_at"> | undefined
  /** Highest index in use; -1 when there is no part. It counts through all messages of the session. */
  readonly index: number
  readonly head: ChainHead
}

/** Type of the part that holds effects which came after the end of their call. */
export const lateType = "data-effects"

/** A call as a part; `text` is its record as JSON, redacted. */
export function callDraft(record: CallRecord, text: string): PartDraft {
  const { envelope } = record
  return {
    id: record.id,
    sessionId: record.sessionId,
    type: `tool-${record.tool}`,
    callId: record.callId,
    state: stateOf(envelope?.type),
    text,
    chained: envelope !== undefined,
    synced: envelope === undefined || record.effects.some(({ kind }) => kind === "fs.write" || kind === "fs.delete"),
    createdAt: record.startedAt,
    updatedAt: record.endedAt ?? record.startedAt,
  }
}

/** The state of a tool part whose envelope has this type. */
export function stateOf(envelope: unknown): ToolState {
  if (envelope === undefined) return "input-available"
  return envelope === "output" ? "output-available" : "output-error"
}

/** A draft with its place: a new message when it needs one, its row, and the tail that follows from it. */
export interface PlacedPart {
  readonly message?: MessageRow
  readonly row: PartRow
  readonly tail: Tail
}

/** Gives a draft its place after the tail. */
export function placePart(draft: PartDraft, tail: Tail): PlacedPart {
  const index = tail.index + 1
  // Parts that belong to no turn share the last message of the assistant.
  const needsMessage = draft.role === "user" || tail.message?.role !== "assistant"
  const made = needsMessage ? messageOf(draft, tail) : undefined
  const message = made ?? tail.message!
  const link = draft.chained ? linkTo(tail.head, draft.text) : undefined
  const row: PartRow = {
    id: draft.id,
    message_id: message.id,
    session_id: draft.sessionId,
    index,
    type: draft.type,
    data_json: link ? withLink(draft.text, link) : draft.text,
    tool_call_id: draft.callId,
    tool_state: draft.state,
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
  }
  const head = link ? { seq: link.seq, hash: link.hash } : tail.head
  const next: Tail = { message: made ? lastOf(made) : tail.message, index, head }
  return made ? { message: made, row, tail: next } : { row, tail: next }
}

function lastOf({ id, role, created_at }: MessageRow): Tail["message"] {
  return { id, role, created_at }
}

function messageOf({ sessionId, role, turnId, createdAt }: PartDraft, tail: Tail): MessageRow {
  // Messages are ordered by time, and the clock may have been set back.
  const at = Math.max(createdAt, tail.message?.created_at ?? 0)
  return {
    id: createId("msg", at),
    session_id: sessionId,
    role: role ?? "assistant",
    metadata_json: turnId === undefined ? "{}" : JSON.stringify({ turn: turnId }),
    created_at: at,
    updated_at: at,
  }
}

/** The call that a tool part holds. */
export function rowToCall(row: Pick<PartRow, "data_json">): CallRecord {
  return unpackCall(JSON.parse(splitLink(row.data_json).text) as PackedCall)
}

/**
 * Writes a value as JSON and never throws: cycles and extreme depth are cut, a bigint becomes its digits.
 * Reading the text and writing it again gives the same text, so that an export can be imported with its hashes intact.
 */
export function recordJson(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? "null"
    // Engines differ in how deep they write (Node 26 has no end), and what is stored must be the same for all.
    if (text.length <= 2 * maxJsonDepth || !isDeeper(value, maxJsonDepth)) return text
  } catch {
    // Too deep for the engine's stack, a cycle, or a bigint.
  }
  return JSON.stringify(cut(value, [])) ?? "null"
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1))
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/** A copy that JSON can carry; `above` are the objects that contain the value. */
function cut(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "bigint") return String(value)
  if (typeof value !== "object" || value === null) return value
  if (above.length >= maxJsonDepth) return "[nested too deep to keep]"
  if (above.includes(value)) return "[circular]"
  if ("toJSON" in value && typeof value.toJSON === "function") return cut(value.toJSON(), above)
  const inside = [...above, value]
  if (Array.isArray(value)) return value.map((item) => cut(item, inside))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cut(member, inside)]))
}

/** The place of a part in its session's chain. */
export interface ChainLink {
  /** Counts the chained parts of the session from 1. */
  readonly seq: number
  /** Hash of the part before; empty for the first. */
  readonly prev: string
  /** SHA-256 of `prev` followed by the text of the record, exactly as it is stored before its link. */
  readonly hash: string
}

/** The end of a session's chain. */
export type ChainHead = Pick<ChainLink, "seq" | "hash">

/** The head of a chain that has no parts. */
export const emptyHead: ChainHead = { seq: 0, hash: "" }

/** Links a record, given as its text, to the head of its chain. */
function linkTo(head: ChainHead, recordText: string): ChainLink {
  return { seq: head.seq + 1, prev: head.hash, hash: hashOf(head.hash, recordText) }
}

/** The hash that a record has behind `prev`. */
export function hashOf(prev: string, recordText: string): string {
  return hash("sha256", prev + recordText)
}

/** Puts a link into the text of its record; the result is what `data_json` keeps. */
function withLink(recordText: string, link: ChainLink): string {
  return `${recordText.slice(0, -1)},"chain":{"seq":${link.seq},"prev":"${link.prev}","hash":"${link.hash}"}}`
}

/** Takes the text of `data_json` apart. The link is absent on a call that has not ended, and on damaged text. */
export function splitLink(data: string): { readonly text: string; readonly link?: ChainLink } {
  const at = data.lastIndexOf(',"chain":{')
  const found = at < 0 ? undefined : linkText.exec(data.slice(at))?.groups
  if (!found) return { text: data }
  return { text: `${data.slice(0, at)}}`, link: { seq: Number(found.seq), prev: found.prev!, hash: found.hash! } }
}

const linkText =
  /^,"chain":\{"seq":(?<seq>\d{1,15}),"prev":"(?<prev>[0-9a-f]{0,64})","hash":"(?<hash>[0-9a-f]{64})"\}\}$/

/** Writes the records of calls as JSON, redacted. */
export interface CallTexts {
  /** The text of a call that has not ended. What was judged is kept until the call settles, so that it is written once. */
  begin(record: CallRecord): string
  /** The text of a call that has ended, begun or not. */
  settle(record: CallRecord): string
}

/** Makes the writer of one journal. */
export function createCallTexts(redact: Redactor): CallTexts {
  const begun = new Map<string, Begun>()

  return {
    begin(record) {
      const packed = packCall(record)
      const text = recordJson(packed)
      if (redact.suspects?.(text) !== false) return redactedText(packed, redact)
      const end = `,"effects":[],"startedAt":${record.startedAt},"endedAt":null}`
      if (text.endsWith(end)) begun.set(record.id, { record, judged: text.slice(0, -end.length) })
      return text
    },
    settle(record) {
      const open = begun.get(record.id)
      begun.delete(record.id)
      return (open && finishedText(open, record, redact)) ?? redactedText(packCall(record), redact)
    },
  }
}

/** An open call, and the text of all that was judged, in which there is nothing to hide; its last brace is missing. */
interface Begun {
  readonly record: CallRecord
  readonly judged: string
}

/** The text of a begun call with its end; undefined when more than the end is new, or when the end may hold a secret. */
function finishedText({ record: begun, judged }: Begun, record: CallRecord, redact: Redactor): string | undefined {
  if (!judgedTheSame(begun, record)) return undefined
  const { effects, state, text, startedAt, endedAt } = record
  const end = recordJson({ effects, envelope: packEnvelope(record), state, text, startedAt, endedAt })
  // Every name and every string is whole in one of the two texts, so that a look at each is a look at all.
  return redact.suspects?.(end) === false ? `${judged},${end.slice(1)}` : undefined
}

/** By identity: what was judged is not changed while the tool works. */
function judgedTheSame(one: CallRecord, other: CallRecord): boolean {
  return (
    one.ladder === other.ladder &&
    one.answers === other.answers &&
    one.arguments === other.arguments &&
    one.rawArguments === other.rawArguments &&
    one.argumentsHash === other.argumentsHash &&
    one.callId === other.callId &&
    one.sessionId === other.sessionId &&
    one.tool === other.tool &&
    one.name === other.name
  )
}

/** A record as JSON, redacted. */
export function redactedText(record: object, redact: Redactor): string {
  const text = recordJson(record)
  // The text is needed anyway, and one quick look at it spares most records the walk through their strings.
  if (redact.suspects?.(text) === false) return text
  const redacted = redact(record)
  return redacted === record ? text : recordJson(redacted)
}
