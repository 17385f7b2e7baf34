import type { Kysely } from "kysely"
import type { Blobs } from "./blobs.js"
import { type ChainHead, type ChainLink, emptyHead, hashOf, lateType, splitLink, stateOf } from "./call-record.js"
import { forkType } from "./fork-session.js"
import { readSessionParts } from "./read-parts.js"
import { missing } from "./refusal.js"
import type { PartRow, Tables } from "./schema/tables.js"
import { parseMetadata } from "./session-metadata.js"
import type { ChainFailure, VerifyReport } from "./store.js"
import { blobsOf, turnTypes } from "./turn-record.js"
import { undoType } from "./undo-notes.js"

/**
 * Checks the chain of a session part by part. It finds parts that were changed, removed or moved without knowledge of
 * the chain. It cannot find a chain that was wholly rewritten together with its head, nor the loss of parts at the end
 * that came after the last saved head.
 */
export async function verifySession(db: Kysely<Tables>, sessionId: string, blobs: Blobs): Promise<VerifyReport> {
  const saved = await readHead(db, sessionId)
  let head = emptyHead
  let open = 0
  for await (const row of readSessionParts(db, sessionId)) {
    if (row.tool_state === "input-available") open++
    else if (isCovered(row)) {
      const found = await withBlobs(examine(row, head), row, blobs)
      if ("failure" in found) return report(await named(found, db, { sessionId, seq: head.seq + 1 }), row, head)
      head = { seq: found.link.seq, hash: found.link.hash }
      if (head.seq === saved.seq && head.hash !== saved.hash)
        return report(headMismatch, row, { ...head, seq: head.seq - 1 })
    }
  }
  if (saved.seq > head.seq) return lostEnd(sessionId, head, saved)
  return { ok: true, sessionId, parts: head.seq, open, head }
}

async function readHead(db: Kysely<Tables>, sessionId: string): Promise<ChainHead> {
  const row = await db
    .selectFrom("chat_sessions")
    .select("metadata_json")
    .where("id", "=", sessionId)
    .executeTakeFirst()
  if (!row) throw missing("verify", sessionId)
  return parseMetadata(row.metadata_json).chain ?? emptyHead
}

/** Calls and notes about them are chained; parts of other kinds are not ours to judge. */
function isCovered(row: PartRow): boolean {
  return row.type.startsWith("tool-") || isNote(row) || isTurn(row)
}

function isNote({ type }: PartRow): boolean {
  return type === undoType || type === lateType || type === forkType
}

/** A text of other systems has no link, and is not ours to judge; one that lost its link is missed by the next part. */
function isTurn({ type, data_json }: PartRow): boolean {
  return type.startsWith(turnTypes) || (type === "text" && splitLink(data_json).link !== undefined)
}

/** The values that a right part refers to must be there as well. */
async function withBlobs(
  found: ReturnType<typeof examine>,
  row: PartRow,
  blobs: Blobs,
): Promise<ReturnType<typeof examine>> {
  if ("failure" in found || !row.data_json.includes('"blob":')) return found
  for (const reference of blobsOf(JSON.parse(row.data_json) as Readonly<Record<string, unknown>>)) {
    try {
      await blobs.read(row.session_id, reference)
    } catch (error) {
      return { failure: "changed", message: error instanceof Error ? error.message : String(error) }
    }
  }
  return found
}

interface Finding {
  readonly failure: ChainFailure
  readonly message: string
}

const headMismatch: Finding = {
  failure: "head mismatch",
  message: "the part is not the one that the session's row names as head",
}

function examine(row: PartRow, head: ChainHead): Finding | { readonly link: ChainLink } {
  const { text, link } = splitLink(row.data_json)
  if (!link) return { failure: "changed", message: "the data or its place in the chain is unreadable" }
  if (link.seq !== head.seq + 1) {
    // The right predecessor under a wrong number: only the number was touched.
    if (link.prev === head.hash) return { failure: "changed", message: `the part calls itself number ${link.seq}` }
    return { failure: link.seq > head.seq ? "missing" : "reordered", message: `part number ${link.seq} is here` }
  }
  if (link.prev !== head.hash) return { failure: "changed", message: "the part does not follow from the one before it" }
  if (hashOf(link.prev, text) !== link.hash) return { failure: "changed", message: "the data differs from its hash" }
  const record = JSON.parse(text) as Readonly<Record<string, unknown>>
  if (record.id !== row.id) return { failure: "reordered", message: `the data is that of part "${String(record.id)}"` }
  if (!columnsFit(row, record)) return { failure: "changed", message: "the columns differ from the data" }
  return { link }
}

function columnsFit(row: PartRow, record: Readonly<Record<string, unknown>>): boolean {
  if (record.sessionId !== row.session_id || (record.callId ?? null) !== row.tool_call_id) return false
  if (isNote(row)) return row.tool_state === null
  if (isTurn(row)) {
    const kind = row.type === "text" ? "start" : row.type.slice(turnTypes.length)
    return row.tool_state === null && record.kind === kind
  }
  const envelope = record.envelope as { readonly type?: unknown } | undefined
  return row.type === `tool-${String(record.tool)}` && row.tool_state === stateOf(envelope?.type)
}

/** A part that is not where it belongs may be gone, or be elsewhere. */
async function named(
  finding: Finding,
  db: Kysely<Tables>,
  wanted: { readonly sessionId: string; readonly seq: number },
): Promise<Finding> {
  if (finding.failure !== "missing") return finding
  for await (const row of readSessionParts(db, wanted.sessionId)) {
    if (splitLink(row.data_json).link?.seq === wanted.seq) {
      return { failure: "reordered", message: `${finding.message}, and number ${wanted.seq} is elsewhere` }
    }
  }
  return { failure: "missing", message: `number ${wanted.seq} is gone: ${finding.message}` }
}

function report(finding: Finding, row: PartRow, head: ChainHead): VerifyReport {
  return {
    ok: false,
    sessionId: row.session_id,
    parts: head.seq,
    failure: finding.failure,
    seq: head.seq + 1,
    partId: row.id,
    ...(row.tool_call_id === null ? {} : { callId: row.tool_call_id }),
    message: finding.message,
  }
}

function lostEnd(sessionId: string, head: ChainHead, saved: ChainHead): VerifyReport {
  const message = `the session had ${saved.seq} parts and ends after ${head.seq}`
  return { ok: false, sessionId, parts: head.seq, failure: "missing", seq: head.seq + 1, message }
}
