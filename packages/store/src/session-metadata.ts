import type { Kysely } from "kysely"
import type { ChainHead } from "./call-record.js"
import type { Owner } from "./lease/owner.js"
import type { Tables } from "./schema/tables.js"

/** What `metadata_json` of a session holds besides the caller's own keys. */
export interface SessionMetadata {
  readonly roots: readonly string[]
  readonly directory: string
  /** Head of the chain, written now and then: parts after it may exist, parts up to it must. */
  readonly chain?: ChainHead
  /** The process that may write to the session. */
  readonly owner?: Owner
  /** True for a session that came from a file: it is read and never continued. */
  readonly imported?: boolean
  readonly [key: string]: unknown
}

/** The keys above that the caller does not see or set. */
export const reservedMetadata = ["roots", "directory", "owner"] as const

/** Reads the metadata of a row. */
export function parseMetadata(text: string): SessionMetadata {
  const value = JSON.parse(text) as Partial<SessionMetadata>
  return { ...value, roots: value.roots ?? [], directory: value.directory ?? "" }
}

/**
 * Changes the metadata of a session inside a transaction, and counts as use of the session. `change` gives the new
 * metadata, or undefined to leave it. Resolves to the metadata before, or undefined when there is no such session.
 */
export async function changeMetadata(
  db: Kysely<Tables>,
  session: { readonly id: string; readonly at: number },
  change: (metadata: SessionMetadata) => SessionMetadata | undefined,
): Promise<SessionMetadata | undefined> {
  const metadata = await lockMetadata(db, session)
  const changed = metadata && change(metadata)
  if (changed) await writeMetadata(db, session.id, changed)
  return metadata
}

/** Takes the session's row for this transaction and reads its metadata. */
export async function lockMetadata(
  db: Kysely<Tables>,
  session: { readonly id: string; readonly at: number },
): Promise<SessionMetadata | undefined> {
  // An update is the one lock that both databases spell alike.
  await db.updateTable("chat_sessions").set({ updated_at: session.at }).where("id", "=", session.id).execute()
  const row = await db
    .selectFrom("chat_sessions")
    .select("metadata_json")
    .where("id", "=", session.id)
    .executeTakeFirst()
  return row && parseMetadata(row.metadata_json)
}

/** Writes the metadata of a session whose row this transaction has locked. */
export async function writeMetadata(db: Kysely<Tables>, id: string, metadata: SessionMetadata): Promise<void> {
  await db
    .updateTable("chat_sessions")
    .set({ metadata_json: JSON.stringify(metadata) })
    .where("id", "=", id)
    .execute()
}
