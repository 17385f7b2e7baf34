import type { CallRecord } from "@haft/contract"
import { type ChainHead, linkTo, splitLink, withLink } from "./chain.js"
import { recordJson } from "./record-json.js"
import type { PartRow, ToolState } from "./schema/tables.js"

/** A part that is ready to be written but for its place: message, index and link are given when it is committed. */
export interface PartDraft {
  readonly id: string
  readonly sessionId: string
  readonly type: string
  readonly callId: string
  readonly state: ToolState | null
  /** The record as JSON, redacted. */
  readonly text: string
  /** An open call is not in the chain: the chain covers its settled form. */
  readonly chained: boolean
  /** False for what a power cut may take: a call that changed nothing and can be made again. */
  readonly synced: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** The end of a session's parts: where the next one goes. */
export interface Tail {
  readonly messageId: string
  /** Highest index in use; -1 when there is no part. */
  readonly index: number
  readonly head: ChainHead
}

/** Type of the part that says that the file effects of a call were taken back. */
export const undoType = "data-undo"

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

/** The note that a call was undone, as a part. */
export function undoDraft(note: { readonly id: string; readonly call: CallRecord; readonly at: number }): PartDraft {
  const { id, call, at } = note
  return {
    id,
    sessionId: call.sessionId,
    type: undoType,
    callId: call.callId,
    state: null,
    text: recordJson({ id, callId: call.callId, sessionId: call.sessionId, at }),
    chained: true,
    synced: true,
    createdAt: at,
    updatedAt: at,
  }
}

/** Gives a draft its place after the tail, and the tail that follows from it. */
export function placePart(draft: PartDraft, tail: Tail): { readonly row: PartRow; readonly tail: Tail } {
  const index = tail.index + 1
  const link = draft.chained ? linkTo(tail.head, draft.text) : undefined
  const row: PartRow = {
    id: draft.id,
    message_id: tail.messageId,
    session_id: draft.sessionId,
    index,
    type: draft.type,
    data_json: link ? withLink(draft.text, link) : draft.text,
    tool_call_id: draft.callId,
    tool_state: draft.state,
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
  }
  return {
    row,
    tail: { messageId: tail.messageId, index, head: link ? { seq: link.seq, hash: link.hash } : tail.head },
  }
}

/** The call that a tool part holds. */
export function rowToCall(row: Pick<PartRow, "data_json">): CallRecord {
  return JSON.parse(splitLink(row.data_json).text) as CallRecord
}
