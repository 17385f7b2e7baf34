import { type CallRecord, isInside, ToolError } from "@haft/contract"
import type { Kysely } from "kysely"
import { type PartDraft, recordJson, rowToCall } from "./call-record.js"
import { createId } from "./create-id.js"
import { findCall } from "./find-by-id.js"
import { heartbeatMs } from "./lease/owner.js"
import type { Tables } from "./schema/tables.js"

/** Type of the part that says that the file effects of a call were taken back. */
export const undoType = "data-undo"

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

/** The note that a call was undone, as a part. */
function undoDraft(note: { readonly id: string; readonly call: CallRecord; readonly at: number }): PartDraft {
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

/** The newest call in any session that changed a file under one of the roots, or from there, and was not undone. */
export async function findLastFileCall(db: Kysely<Tables>, roots: readonly string[]): Promise<CallRecord | undefined> {
  let newest: CallRecord | undefined
  for await (const session of sessionsByUse(db)) {
    // A row's time of use lags behind its newest part by one heartbeat at most, so older rows cannot win any more.
    if (newest && session.updated_at + 3 * heartbeatMs < newest.startedAt) break
    const call = await newestInSession(db, session.id, roots)
    if (call && (!newest || call.startedAt > newest.startedAt)) newest = call
  }
  return newest
}

async function newestInSession(
  db: Kysely<Tables>,
  sessionId: string,
  roots: readonly string[],
): Promise<CallRecord | undefined> {
  for (let offset = 0; ; offset += pageSize) {
    const rows = await db
      .selectFrom("chat_parts as part")
      .select("part.data_json")
      .where("part.session_id", "=", sessionId)
      .where("part.type", "like", "tool-%")
      // Leaves most reads and searches in the database; whether the effects count is decided below.
      .where((part) =>
        part.or([
          part("part.data_json", "like", '%"kind":"fs.write"%'),
          part("part.data_json", "like", '%"kind":"fs.delete"%'),
        ]),
      )
      .where((part) =>
        part.not(
          part.exists(
            part
              .selectFrom("chat_parts as undo")
              .select("undo.id")
              .whereRef("undo.tool_call_id", "=", "part.tool_call_id")
              .whereRef("undo.session_id", "=", "part.session_id")
              .where("undo.type", "=", undoType),
          ),
        ),
      )
      .orderBy("part.index", "desc")
      .limit(pageSize)
      .offset(offset)
      .execute()
    const found = rows.map(rowToCall).find((call) => changesFileUnder(call, roots))
    if (found || rows.length < pageSize) return found
  }
}

async function* sessionsByUse(
  db: Kysely<Tables>,
): AsyncGenerator<{ readonly id: string; readonly updated_at: number }> {
  for (let offset = 0; ; offset += pageSize) {
    const rows = await db
      .selectFrom("chat_sessions")
      .select(["id", "updated_at", "metadata_json"])
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(pageSize)
      .offset(offset)
      .execute()
    // Effects of an imported session happened elsewhere.
    yield* rows.filter((row) => !row.metadata_json.includes('"imported":true'))
    if (rows.length < pageSize) return
  }
}

function changesFileUnder(call: CallRecord, roots: readonly string[]): boolean {
  return call.effects.some(
    (effect) =>
      (effect.kind === "fs.write" || effect.kind === "fs.delete") &&
      roots.some((root) => isInside(effect.path, root) || effect.outside === root),
  )
}

const pageSize = 50
