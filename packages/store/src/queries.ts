import { type CallRecord, type SessionRecord, ToolError } from "@haft/contract"
import type { Kysely } from "kysely"
import { lateType, type PartDraft, rowToCall, undoDraft, undoType } from "./call-record.js"
import { createId } from "./create-id.js"
import { findCall } from "./find-by-id.js"
import { findLateEffects, withLateEffects } from "./late-effects.js"
import { isLiving } from "./lease/owner.js"
import { readSessionParts } from "./read-parts.js"
import type { PartRow, Tables } from "./schema/tables.js"
import { parseMetadata } from "./session-metadata.js"
import { rowToSession } from "./session-row.js"
import type { SessionFilter, SessionSummary } from "./store.js"

/** The calls of a session in order, each with its late effects. */
export async function callsOf(db: Kysely<Tables>, sessionId: string): Promise<readonly CallRecord[]> {
  const calls: CallRecord[] = []
  const notes: PartRow[] = []
  for await (const row of readSessionParts(db, sessionId)) {
    if (row.type.startsWith("tool-")) calls.push(rowToCall(row))
    else if (row.type === lateType) notes.push(row)
  }
  return withLateEffects(calls, notes)
}

/** A call, by its id or the beginning of it, with its late effects. */
export async function callOf(db: Kysely<Tables>, callId: string): Promise<CallRecord | undefined> {
  const row = await findCall(db, callId)
  return row && withLateEffects([rowToCall(row)], await findLateEffects(db, row))[0]
}

/** When the file effects of a call were taken back, if they were. */
export async function findUndo(db: Kysely<Tables>, callId: string): Promise<number | undefined> {
  const call = await findCall(db, callId)
  if (!call) return undefined
  const note = await db
    .selectFrom("chat_parts")
    .select("created_at")
    .where("tool_call_id", "=", call.tool_call_id)
    .where("session_id", "=", call.session_id)
    .where("type", "=", undoType)
    .limit(1)
    .executeTakeFirst()
  return note?.created_at
}

/** The note that a call is undone now, ready to be appended. */
export async function draftUndo(db: Kysely<Tables>, callId: string, at: number): Promise<PartDraft> {
  const row = await findCall(db, callId)
  if (!row)
    throw new ToolError(
      "not_found",
      `Cannot undo call "${callId}": the journal has no such call; see \`haft session show\``,
    )
  if ((await findUndo(db, callId)) !== undefined) {
    throw new ToolError("conflict", `Cannot undo call "${callId}": it was undone already; name another call`)
  }
  return undoDraft({ id: createId("prt", at), call: rowToCall(row), at })
}

/** Sessions with their number of calls, last used first. */
export async function listSessions(db: Kysely<Tables>, filter: SessionFilter): Promise<readonly SessionSummary[]> {
  const { archived = false, root, limit } = filter
  const rows = await db
    .selectFrom("chat_sessions as session")
    .selectAll("session")
    .select((session) =>
      session
        .selectFrom("chat_parts as part")
        .select((part) => part.fn.countAll<number>().as("count"))
        .whereRef("part.session_id", "=", "session.id")
        .where("part.type", "like", "tool-%")
        .as("calls"),
    )
    .$if(!archived, (query) => query.where("session.archived_at", "is", null))
    .$if(root !== undefined, (query) => query.where("session.workspace_root", "=", root!))
    .orderBy("session.updated_at", "desc")
    .orderBy("session.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
  return rows.map(({ calls, ...row }) => ({ ...rowToSession(row), calls: calls ?? 0 }))
}

/** Sessions that nobody used for so long, nobody owns, and nobody meant to keep. */
export async function listExpired(
  db: Kysely<Tables>,
  { olderThanMs, now }: { readonly olderThanMs: number; readonly now: number },
): Promise<readonly SessionRecord[]> {
  const rows = await db
    .selectFrom("chat_sessions")
    .selectAll()
    .where("updated_at", "<", now - olderThanMs)
    .where("archived_at", "is", null)
    .orderBy("updated_at")
    .execute()
  const forgotten = rows.filter((row) => {
    const { imported, owner } = parseMetadata(row.metadata_json)
    return !imported && !(owner && isLiving(owner, now))
  })
  return forgotten.map(rowToSession)
}
