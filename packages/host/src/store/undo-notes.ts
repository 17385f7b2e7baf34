import { ToolError } from "@haft/contract"
import type { Kysely } from "kysely"
import { createId } from "./create-id.js"
import { findCall } from "./find-by-id.js"
import { type PartDraft, rowToCall, undoDraft, undoType } from "./part-draft.js"
import type { Tables } from "./schema/tables.js"

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
