import type { CallRecord, SessionRecord } from "@haft/contract"
import type { Kysely } from "kysely"
import { lateType, rowToCall } from "./call-record.js"
import { findCall } from "./find-by-id.js"
import { findLateEffects, withLateEffects } from "./late-effects.js"
import { isLiving, type Owner } from "./lease/owner.js"
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

/** Sessions with their number of calls, last used first. One that was opened and never used is found by its id alone. */
export async function listSessions(db: Kysely<Tables>, filter: SessionFilter): Promise<readonly SessionSummary[]> {
  const { archived = false, subagents = true, root, id, parent, limit } = filter
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
    .$if(id === undefined && parent === undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(selectFrom("chat_parts as part").select("part.id").whereRef("part.session_id", "=", "session.id")),
      ),
    )
    .$if(!archived, (query) => query.where("session.archived_at", "is", null))
    .$if(!subagents, (query) => query.where("session.parent_id", "is", null))
    .$if(root !== undefined, (query) => query.where("session.workspace_root", "=", root!))
    .$if(id !== undefined, (query) => query.where("session.id", "=", id!))
    // In LIKE an underscore matches any character: the rows found are checked again.
    .$if(parent !== undefined, (query) => query.where("session.metadata_json", "like", `%"parent":"${parent}"%`))
    .orderBy("session.updated_at", "desc")
    .orderBy("session.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
  const found = rows.map(({ calls, ...row }) => ({ ...rowToSession(row), calls: calls ?? 0 }))
  return parent === undefined ? found : found.filter(({ metadata }) => metadata.parent === parent)
}

/** The living owner of a session. */
export async function findOwner(db: Kysely<Tables>, id: string, now: number): Promise<Owner | undefined> {
  const row = await db.selectFrom("chat_sessions").select("metadata_json").where("id", "=", id).executeTakeFirst()
  const owner = row && parseMetadata(row.metadata_json).owner
  return owner && isLiving(owner, now) ? owner : undefined
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
