import { ToolError } from "@haft/contract"
import type { Kysely } from "kysely"
import type { PartRow, SessionRow, Tables } from "./schema/tables.js"

/** Finds a session by its id, or by the beginning of it where only one begins so. */
export async function findSession(db: Kysely<Tables>, id: string): Promise<SessionRow | undefined> {
  const query = db.selectFrom("chat_sessions").selectAll()
  const exact = await query.where("id", "=", clean(id)).executeTakeFirst()
  if (exact) return exact
  const rows = await query
    .where("id", ">=", clean(id))
    .where("id", "<", `${clean(id)}~`)
    .orderBy("id")
    .limit(2)
    .execute()
  return onlyOne("session", id, rows)
}

/** Finds the part of a call by the call's id, or by the beginning of it where only one begins so. */
export async function findCall(db: Kysely<Tables>, callId: string): Promise<PartRow | undefined> {
  const query = db.selectFrom("chat_parts").selectAll().where("type", "like", "tool-%")
  // Ids that a model made can come twice; the newest is meant.
  const exact = await query
    .where("tool_call_id", "=", clean(callId))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
  if (exact) return exact
  const rows = await query
    .where("tool_call_id", ">=", clean(callId))
    .where("tool_call_id", "<", `${clean(callId)}~`)
    .orderBy("tool_call_id")
    .limit(2)
    .execute()
  return onlyOne("call", callId, rows)
}

function onlyOne<Row>(what: string, beginning: string, rows: readonly Row[]): Row | undefined {
  if (rows.length < 2) return beginning === "" ? undefined : rows[0]
  throw new ToolError(
    "invalid_args",
    `Cannot tell which ${what} "${beginning}" means: several begin so; give more of the id`,
  )
}

/** PostgreSQL refuses NUL in a parameter; no id has one. */
function clean(id: string): string {
  return id.replaceAll("\0", "\u{fffd}")
}
