import type { Kysely } from "kysely"
import type { MessageRow, PartRow, Tables } from "./schema/tables.js"

/** The messages of a session in order. */
export function readMessages(db: Kysely<Tables>, sessionId: string): Promise<readonly MessageRow[]> {
  return db
    .selectFrom("chat_messages")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("created_at")
    .orderBy("id")
    .execute()
}

/** The parts of a message in order, read in pages so that a long session needs little memory. */
export async function* readParts(db: Kysely<Tables>, messageId: string): AsyncGenerator<PartRow> {
  // What is appended while we read is for the next reader.
  const last = await db
    .selectFrom("chat_parts")
    .select("index")
    .where("message_id", "=", messageId)
    .orderBy("index", "desc")
    .limit(1)
    .executeTakeFirst()
  for (let from = -1; last && from < last.index; ) {
    const page = await db
      .selectFrom("chat_parts")
      .selectAll()
      .where("message_id", "=", messageId)
      .where("index", ">", from)
      .where("index", "<=", last.index)
      .orderBy("index")
      .limit(pageSize)
      .execute()
    yield* page
    const end = page.at(-1)
    if (!end || page.length < pageSize) return
    from = end.index
  }
}

/** All parts of a session in order. */
export async function* readSessionParts(db: Kysely<Tables>, sessionId: string): AsyncGenerator<PartRow> {
  for (const message of await readMessages(db, sessionId)) yield* readParts(db, message.id)
}

/** The parts of a session after an index and up to one, by their index: what is written later has a higher one. */
export async function* readPartsBetween(
  db: Kysely<Tables>,
  sessionId: string,
  { after = -1, upTo }: { readonly after?: number; readonly upTo?: number },
): AsyncGenerator<PartRow> {
  // What is appended while we read is for the next reader.
  const last = upTo ?? (await lastIndexOf(db, sessionId))
  for (let from = after; from < last; ) {
    const page = await db
      .selectFrom("chat_parts")
      .selectAll()
      .where("session_id", "=", sessionId)
      .where("index", ">", from)
      .where("index", "<=", last)
      .orderBy("index")
      .limit(pageSize)
      .execute()
    yield* page
    const end = page.at(-1)
    if (!end || page.length < pageSize) return
    from = end.index
  }
}

/** The highest index of a session; -1 when it has no part. */
export async function lastIndexOf(db: Kysely<Tables>, sessionId: string): Promise<number> {
  const parts = db.selectFrom("chat_parts").select("index").where("session_id", "=", sessionId)
  return (await parts.orderBy("index", "desc").limit(1).executeTakeFirst())?.index ?? -1
}

const pageSize = 200
