import type { SessionRecord } from "@haft/contract"
import type { Kysely } from "kysely"
import { isLiving } from "./lease/owner.js"
import type { Tables } from "./schema/tables.js"
import { parseMetadata } from "./session-metadata.js"
import { rowToSession } from "./session-row.js"
import type { SessionFilter, SessionSummary } from "./store.js"

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
