import { ToolError } from "@haft/contract"
import type { Kysely } from "kysely"
import { type ChainHead, emptyHead, type PartDraft, placePart, splitLink, type Tail } from "./call-record.js"
import { Clash, type Driver } from "./driver/driver.js"
import { missing, refuseImported, refuseOwned } from "./refusal.js"
import type { PartRow, Tables } from "./schema/tables.js"
import { lockMetadata, writeMetadata } from "./session-metadata.js"
import { undoType } from "./undo-notes.js"
import { addSums, sumOfUsages } from "./usage-sums.js"

/** Who appends, and when. */
export interface Appender {
  /** The process label of this store. */
  readonly process: string
  readonly now: number
}

/**
 * Appends parts in one transaction, reading from the database where each session ends. Slower than the hot path and
 * always right: also for sessions that this process does not own. Resolves to the new tails by session.
 */
export async function appendParts(
  { driver, appender }: { readonly driver: Driver; readonly appender: () => Appender },
  drafts: readonly PartDraft[],
): Promise<ReadonlyMap<string, Tail>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await driver.transaction((db) => appendOnce(db, drafts, appender()))
    } catch (error) {
      if (!(error instanceof Clash)) throw driver.explain(error, "write to the journal")
      // An owner may take the next index between our look and our write; it is rare and the next look sees it.
      if (attempt < 10) continue
      const reason = "other writers were faster each time; try again"
      const message = `Cannot write to session "${drafts[0]!.sessionId}": ${reason}`
      throw new ToolError("unavailable", message, { cause: error })
    }
  }
}

async function appendOnce(
  db: Kysely<Tables>,
  drafts: readonly PartDraft[],
  appender: Appender,
): Promise<ReadonlyMap<string, Tail>> {
  const tails = new Map<string, Tail>()
  // Sessions are locked in one order everywhere, so that two processes cannot wait for each other.
  for (const sessionId of [...new Set(drafts.map((draft) => draft.sessionId))].sort()) {
    const own = drafts.filter((draft) => draft.sessionId === sessionId)
    tails.set(sessionId, await appendToSession(db, { sessionId, drafts: own, appender }))
  }
  return tails
}

interface SessionAppend {
  readonly sessionId: string
  readonly drafts: readonly PartDraft[]
  readonly appender: Appender
}

async function appendToSession(db: Kysely<Tables>, { sessionId, drafts, appender }: SessionAppend): Promise<Tail> {
  const metadata = await lockMetadata(db, { id: sessionId, at: appender.now })
  if (!metadata) throw missing("write to", sessionId)
  refuseImported(sessionId, metadata)
  // Undo is the user's own act and may come from any process.
  if (drafts.some((draft) => draft.type !== undoType)) refuseOwned(sessionId, metadata, appender)
  let tail = await readTail(db, sessionId)
  for (const draft of drafts) tail = await appendPart(db, draft, tail)
  await writeMetadata(db, sessionId, { ...metadata, chain: tail.head })
  await addSums(db, sessionId, sumOfUsages(drafts))
  return tail
}

/** Writes one part after the tail inside a transaction that holds the session. */
export async function appendPart(db: Kysely<Tables>, draft: PartDraft, tail: Tail): Promise<Tail> {
  const present = await db.selectFrom("chat_parts").select("tool_state").where("id", "=", draft.id).executeTakeFirst()
  const placed = placePart(draft, tail)
  if (placed.message) await db.insertInto("chat_messages").values(placed.message).execute()
  if (!present) await db.insertInto("chat_parts").values(placed.row).execute()
  else if (present.tool_state === "input-available" && draft.chained) await settle(db, placed.row)
  else
    throw new ToolError("conflict", `Cannot record call "${draft.callId}": it is in the journal already; use a new id`)
  return placed.tail
}

async function settle(db: Kysely<Tables>, row: PartRow): Promise<void> {
  const { message_id, index, data_json, tool_state, updated_at } = row
  await db
    .updateTable("chat_parts")
    .set({ message_id, index, data_json, tool_state, updated_at })
    .where("id", "=", row.id)
    .execute()
}

/** Finds the end of a session. */
export async function readTail(db: Kysely<Tables>, sessionId: string): Promise<Tail> {
  const message = await db
    .selectFrom("chat_messages")
    .select(["id", "role", "created_at"])
    .where("session_id", "=", sessionId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
  const parts = db.selectFrom("chat_parts").where("session_id", "=", sessionId).orderBy("index", "desc")
  const last = await parts.select("index").limit(1).executeTakeFirst()
  const lastChained = await parts
    .select(["id", "data_json"])
    .where((part) => part.or([part("tool_state", "is", null), part("tool_state", "!=", "input-available")]))
    .limit(1)
    .executeTakeFirst()
  return { message, index: last?.index ?? -1, head: lastChained ? headOf(lastChained, sessionId) : emptyHead }
}

function headOf(row: Pick<PartRow, "id" | "data_json">, sessionId: string): ChainHead {
  const { link } = splitLink(row.data_json)
  if (link) return { seq: link.seq, hash: link.hash }
  const step = `see \`haft session verify ${sessionId}\` and go on in a new session`
  throw new ToolError("backend", `Cannot continue session "${sessionId}": its part "${row.id}" is damaged; ${step}`)
}
