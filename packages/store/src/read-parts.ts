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

/** The parts of a message in order. */
export function readParts(db: Kysely<Tables>, messageId: string): AsyncGenerator<PartRow> {
  return readPages(db, { column: "message_id", id: messageId }, {})
}

/** All parts of a session in order. */
export async function* readSessionParts(db: Kysely<Tables>, sessionId: string): AsyncGenerator<PartRow> {
  for (const message of await readMessages(db, sessionId)) yield* readParts(db, message.id)
}

/** The parts of a session after an index and up to one, by their index: what is written later has a higher one. */
export function readPartsBetween(
  db: Kysely<Tables>,
  sessionId: string,
  range: { readonly after?: number; readonly upTo?: number },
): AsyncGenerator<PartRow> {
  return readPages(db, { column: "session_id", id: sessionId }, range)
}

/** The highest index of a session; -1 when it has no part. */
export function lastIndexOf(db: Kysely<Tables>, sessionId: string): Promise<number> {
  return lastIndex(db, { column: "session_id", id: sessionId })
}

interface Owner {
  readonly column: "message_id" | "session_id"
  readonly id: string
}

/** Reads in pages, so that a long session needs little memory. */
async function* readPages(
  db: Kysely<Tables>,
  owner: Owner,
  { after = -1, upTo }: { readonly after?: number; readonly upTo?: number },
): AsyncGenerator<PartRow> {
  // What is appended while we read is for the next reader.
  const last = upTo ?? (await lastIndex(db, owner))
  for (let from = after; from < last; ) {
    const page = await db
      .selectFrom("chat_parts")
      .selectAll()
      .where(owner.column, "=", owner.id)
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

async function lastIndex(db: Kysely<Tables>, { column, id }: Owner): Promise<number> {
  const parts = db.selectFrom("chat_parts").select("index").where(column, "=", id)
  return (await parts.orderBy("index", "desc").limit(1).executeTakeFirst())?.index ?? -1
}

const pageSize = 200
