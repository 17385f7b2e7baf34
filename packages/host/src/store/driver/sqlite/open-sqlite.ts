import { chmodSync, closeSync, constants, existsSync, fchmodSync, mkdirSync, openSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Kysely, sql } from "kysely"
import type Database from "libsql"
import type { Tables } from "../../schema/tables.js"
import { type Driver, Clash, type PartWrite } from "../driver.js"
import { partStatements } from "../part-statements.js"
import { explain } from "./explain.js"
import { libsqlDialect } from "./libsql-dialect.js"
import { retryWhileBusy } from "./retry-while-busy.js"
import { createTurnstile } from "./turnstile.js"

/** Opens a journal in an SQLite file, which is made, readable by its owner alone, when it does not exist. */
export async function openSqlite(location: string): Promise<Driver> {
  const file = resolve(location)
  try {
    makePrivate(file)
    // The native library takes 20-35 ms to load; whoever needs no journal does not pay for it.
    const { default: Libsql } = await import("libsql")
    const database = new Libsql(file)
    try {
      await configure(database)
      return driverOf(database, file)
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw explain(error, "open the journal", file)
  }
}

function driverOf(database: Database.Database, file: string): Driver {
  const turnstile = createTurnstile()
  const db = new Kysely<Tables>({ dialect: libsqlDialect(database, turnstile) })
  const texts = partStatements(db)
  let prepared: Readonly<Record<PartWrite["kind"], Database.Statement>> | undefined
  let pragmas: { readonly normal: Database.Statement; readonly full: Database.Statement } | undefined
  let closed = false

  return {
    place: file,
    db,
    idType: "text",
    transaction: (work) => db.transaction().execute(work).catch(rethrow),
    async writeParts(writes) {
      if (!turnstile.tryEnter()) await turnstile.enter()
      try {
        await retryWhileBusy(() => (writes.some(({ synced }) => synced) ? writeAll(writes) : unsynced(writes)))
      } catch (error) {
        rethrow(error)
      } finally {
        turnstile.leave()
      }
    },
    async readVersion(from) {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(from)
      return rows[0]!.user_version
    },
    async writeVersion(to, version) {
      await sql`pragma user_version = ${sql.lit(version)}`.execute(to)
    },
    explain: (error, action) => explain(error, action, file),
    async close() {
      if (closed) return
      closed = true
      await turnstile.enter()
      database.close()
    },
  }

  /** Survives the end of this process, but not a power cut; everything else that this connection writes does. */
  function unsynced(writes: readonly PartWrite[]): void {
    pragmas ??= {
      normal: database.prepare("pragma synchronous = NORMAL"),
      full: database.prepare("pragma synchronous = FULL"),
    }
    pragmas.normal.run()
    try {
      writeAll(writes)
    } finally {
      pragmas.full.run()
    }
  }

  function writeAll(writes: readonly PartWrite[]): void {
    if (writes.length === 1) write(writes[0]!)
    else writeTogether(writes)
  }

  /** A statement outside a transaction is its own transaction: one flush, as cheap as a commit gets. */
  function write({ kind, row }: PartWrite): void {
    prepared ??= { insert: database.prepare(texts.insert.sql), settle: database.prepare(texts.settle.sql) }
    const { changes } = prepared[kind].run(texts[kind].values(row))
    if (changes !== 1) throw new Clash("the part is not open")
  }

  function writeTogether(writes: readonly PartWrite[]): void {
    database.exec("begin immediate")
    try {
      for (const part of writes) write(part)
      database.exec("commit")
    } catch (error) {
      if (database.inTransaction) database.exec("rollback")
      throw error
    }
  }
}

async function configure(database: Database.Database): Promise<void> {
  database.pragma("busy_timeout = 50")
  // The switch to WAL needs the file alone for a moment.
  await retryWhileBusy(() => database.pragma("journal_mode = WAL"))
  database.pragma("synchronous = FULL")
  database.pragma("foreign_keys = ON")
  // Reads the header and the schema: a damaged file is found here and not in the middle of a call.
  await retryWhileBusy(() => database.prepare("select count(*) from sqlite_schema").all())
}

/** SQLite gives -wal and -shm the mode of the file, so the file gets its mode before SQLite sees it. */
function makePrivate(file: string): void {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) chmodSync(folder, 0o700)
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    fchmodSync(descriptor, 0o600)
  } finally {
    closeSync(descriptor)
  }
  for (const companion of [`${file}-wal`, `${file}-shm`]) if (existsSync(companion)) chmodSync(companion, 0o600)
}

function rethrow(error: unknown): never {
  const constraint = String((error as { code?: unknown } | null)?.code).startsWith("SQLITE_CONSTRAINT")
  throw constraint ? new Clash("the row does not fit", { cause: error }) : error
}
