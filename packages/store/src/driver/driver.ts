import type { ToolError } from "@haft/contract"
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely"
import type { MessageRow, PartRow, Tables, ToolState } from "../schema/tables.js"

/** A database that can hold the journal. Everything above it is one set of queries for all databases. */
export interface Driver {
  /** The file or server without credentials, for messages. */
  readonly place: string
  /** For reading: a write is durable in a transaction or in `write`. */
  readonly db: Kysely<Tables>
  /** The column type of ids: text whose order is that of its bytes. */
  readonly idType: "text" | RawBuilder<unknown>
  /**
   * Runs `work` as one durable write transaction; writers take turns. Throws Clash when a row does not fit. One that is not
   * synced gets to the disk with the next that is.
   */
  transaction<Result>(
    work: (db: Transaction<Tables>) => Promise<Result>,
    options?: { readonly synced: boolean },
  ): Promise<Result>
  /** Writes rows, all or none; when one of them is to be synced, a power cut takes none of them. Throws Clash when one does not fit. */
  write(writes: readonly JournalWrite[]): Promise<void>
  /** Version of the schema; 0 for an empty database. Inside a transaction it also keeps other migrations out. */
  readVersion(db: Kysely<Tables>): Promise<number>
  writeVersion(db: Kysely<Tables>, version: number): Promise<void>
  /** Words a failure of this database as "Cannot <action>: <reason>". A ToolError passes unchanged. */
  explain(error: unknown, action: string): ToolError
  close(): Promise<void>
}

/** One write of the hot path: a new message, a new part, or the end of a part that was begun. */
export type JournalWrite = {
  /** Whether it must be on the disk before the call goes on; otherwise it gets there with the next one that must. */
  readonly synced: boolean
} & (
  | { readonly kind: "message"; readonly row: MessageRow }
  | { readonly kind: "insert" | "settle"; readonly row: PartRow }
)

/** The values of a write in the order of its statement. */
export function valuesOf({ row }: JournalWrite, { columns }: JournalStatement): readonly unknown[] {
  return columns.map((column) => (row as unknown as Readonly<Record<string, unknown>>)[column])
}

/** A row does not fit: its id or index is taken, what it belongs to is gone, or it is not open any more. */
export class Clash extends Error {
  override readonly name = "Clash"
}

/** A statement compiled once, and the columns of a row that it takes. */
export interface JournalStatement {
  readonly sql: string
  readonly columns: readonly string[]
}

/** The statements of the hot path, built by the query builder and then used as text. */
export function journalStatements(db: Kysely<Tables>): Readonly<Record<JournalWrite["kind"], JournalStatement>> {
  const settled = { message_id: "", index: 0, data_json: "", tool_state: null, updated_at: 0 }
  const message = db.insertInto("chat_messages").values(emptyMessage).compile()
  const insert = db.insertInto("chat_parts").values(emptyPart).compile()
  const settle = db
    .updateTable("chat_parts")
    .set(settled)
    .where("id", "=", "")
    .where("tool_state", "=", sql.lit<ToolState>("input-available"))
    .compile()
  return {
    message: { sql: message.sql, columns: Object.keys(emptyMessage) },
    insert: { sql: insert.sql, columns: Object.keys(emptyPart) },
    settle: { sql: settle.sql, columns: [...Object.keys(settled), "id"] },
  }
}

const emptyMessage: MessageRow = {
  id: "",
  session_id: "",
  role: "assistant",
  metadata_json: "",
  created_at: 0,
  updated_at: 0,
}

const emptyPart: PartRow = {
  id: "",
  message_id: "",
  session_id: "",
  index: 0,
  type: "",
  data_json: "",
  tool_call_id: null,
  tool_state: null,
  created_at: 0,
  updated_at: 0,
}
