import { ToolError } from "@haft/contract"
import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Driver } from "../driver/driver.js"
import type { Tables } from "./tables.js"

/** One step forward. Steps are never edited once released; a change of the schema is a new step at the end. */
export type Migration = (db: Kysely<Tables>, idType: "text" | RawBuilder<unknown>) => Promise<void>

const migrations: readonly Migration[] = [createTables, numberPartsBySession, indexOnlyCalls]

/** Brings the database to the schema that this version knows, and refuses one that is newer. */
export async function migrate(driver: Driver): Promise<void> {
  const found = await driver.readVersion(driver.db)
  if (found === migrations.length) return
  refuseNewer(found, driver)
  await driver.transaction(async (db) => {
    // Asked again inside the transaction: another process may have been first.
    const version = await driver.readVersion(db)
    refuseNewer(version, driver)
    for (const step of migrations.slice(version)) await step(db, driver.idType)
    if (version < migrations.length) await driver.writeVersion(db, migrations.length)
  })
}

function refuseNewer(version: number, driver: Driver): void {
  if (version <= migrations.length) return
  throw new ToolError(
    "unsupported",
    `Cannot open the journal "${driver.place}": its schema is version ${version} and this Haft knows ${migrations.length}; update Haft`,
    { hint: "Update Haft, or choose another place with the setting `store`" },
  )
}

/** Schema version 1: sessions, their messages, and the parts of messages. */
async function createTables(db: Kysely<Tables>, idType: "text" | RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_sessions")
    .addColumn("id", idType, (column) => column.primaryKey())
    .addColumn("agent", "text", (column) => column.notNull())
    .addColumn("workspace_root", "text")
    .addColumn("model_json", "text", (column) => column.notNull())
    .addColumn("parent_id", idType)
    .addColumn("parent_message_id", idType)
    .addColumn("permissions_json", "text", (column) => column.notNull())
    .addColumn("metadata_json", "text", (column) => column.notNull())
    .addColumn("prompt_tokens", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("completion_tokens", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("reasoning_tokens", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("cache_read", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("cache_write", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("total_tokens", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("cost_usd", "double precision", (column) => column.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("archived_at", "bigint")
    .execute()
  await db.schema
    .createTable("chat_messages")
    .addColumn("id", idType, (column) => column.primaryKey())
    .addColumn("session_id", idType, (column) => column.notNull().references("chat_sessions.id").onDelete("cascade"))
    .addColumn("role", "text", (column) => column.notNull().check(sql`role in ('user', 'assistant', 'system')`))
    .addColumn("metadata_json", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute()
  await db.schema
    .createTable("chat_parts")
    .addColumn("id", idType, (column) => column.primaryKey())
    .addColumn("message_id", idType, (column) => column.notNull().references("chat_messages.id").onDelete("cascade"))
    .addColumn("session_id", idType, (column) => column.notNull())
    .addColumn("index", "bigint", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("data_json", "text", (column) => column.notNull())
    .addColumn("tool_call_id", idType)
    .addColumn("tool_state", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute()
  await createIndexes(db)
}

async function createIndexes(db: Kysely<Tables>): Promise<void> {
  const indexes: readonly (readonly [table: keyof Tables, columns: readonly string[]])[] = [
    ["chat_sessions", ["agent", "updated_at"]],
    ["chat_sessions", ["workspace_root", "updated_at"]],
    ["chat_sessions", ["parent_id"]],
    ["chat_sessions", ["archived_at"]],
    ["chat_messages", ["session_id", "created_at"]],
    ["chat_parts", ["session_id"]],
    ["chat_parts", ["tool_call_id"]],
  ]
  for (const [table, columns] of indexes) {
    await db.schema
      .createIndex(`${table}_${columns.join("_")}`)
      .on(table)
      .columns([...columns])
      .execute()
  }
  // Unique: two writers that continue one chain from the same part meet here, and the second one notices.
  await db.schema
    .createIndex("chat_parts_message_id_index")
    .on("chat_parts")
    .columns(["message_id", "index"])
    .unique()
    .execute()
}

/**
 * Schema version 2: the index of a part counts through its session, not only through its message. Two writers that continue
 * one chain in different messages meet at the unique index.
 */
async function numberPartsBySession(db: Kysely<Tables>): Promise<void> {
  for (const { session_id } of await sessionsWithEqualNumbers(db)) await numberParts(db, session_id)
  await db.schema.dropIndex("chat_parts_session_id").execute()
  await db.schema
    .createIndex("chat_parts_session_id_index")
    .on("chat_parts")
    .columns(["session_id", "index"])
    .unique()
    .execute()
}

/**
 * Schema version 3: only parts of calls are in the index of calls. A record of a turn has no call, and every index is a page
 * more to write and to sync (bench: durable-turn).
 */
async function indexOnlyCalls(db: Kysely<Tables>): Promise<void> {
  await db.schema.dropIndex("chat_parts_tool_call_id").execute()
  await db.schema
    .createIndex("chat_parts_tool_call_id")
    .on("chat_parts")
    .column("tool_call_id")
    .where("tool_call_id", "is not", null)
    .execute()
}

/** Only sessions that came from other systems have more than one message with parts. */
function sessionsWithEqualNumbers(db: Kysely<Tables>): Promise<readonly { readonly session_id: string }[]> {
  return db
    .selectFrom("chat_parts")
    .select("session_id")
    .groupBy("session_id")
    .having((part) => sql<boolean>`${part.fn.countAll()} > ${part.fn.count("index").distinct()}`)
    .execute()
}

async function numberParts(db: Kysely<Tables>, sessionId: string): Promise<void> {
  const parts = await db
    .selectFrom("chat_parts as part")
    .innerJoin("chat_messages as message", "message.id", "part.message_id")
    .select(["part.id", "part.index"])
    .where("part.session_id", "=", sessionId)
    .orderBy("message.created_at")
    .orderBy("message.id")
    .orderBy("part.index")
    .execute()
  // Two rounds: a number that is still in use would be refused.
  for (const first of [-1 - parts.length, 0]) {
    for (const [at, { id }] of parts.entries()) {
      await db
        .updateTable("chat_parts")
        .set({ index: first + at })
        .where("id", "=", id)
        .execute()
    }
  }
}
