import { randomBytes } from "node:crypto"
import { chmodSync, closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Kysely, sql } from "kysely"
import type Database from "libsql"
import type { Tables } from "../../schema/tables.js"
import { Clash, type Driver, type PartWrite } from "../driver.js"
import { partStatements } from "../part-statements.js"
import { explain } from "./explain.js"
import { libsqlDialect } from "./libsql-dialect.js"
import { createTurnstile, retryWhileBusy } from "./turnstile.js"

/**
 * Opens a journal in an SQLite file, which is made, readable by its owner alone, when it does not exist. Stores of one
 * thread share one connection to a file; the last one that closes it ends it.
 */
export async function openSqlite(location: string): Promise<Driver> {
  const file = resolve(location)
  try {
    makePrivate(file)
    const { dev, ino } = statSync(file, { bigint: true })
    return await share(`${dev}:${ino}`, file)
  } catch (error) {
    throw explain(error, "open the journal", file)
  }
}

interface Connection {
  readonly driver: Promise<Driver>
  users: number
}

/** By device and inode: a file has many names, and a name can come to mean another file. */
const connections = new Map<string, Connection>()

async function share(key: string, file: string): Promise<Driver> {
  const connection = connections.get(key) ?? { driver: connect(file), users: 0 }
  connections.set(key, connection)
  connection.users++
  try {
    const driver = await connection.driver
    let closed = false
    return {
      ...driver,
      place: file,
      explain: (error, action) => explain(error, action, file),
      async close() {
        if (closed) return
        closed = true
        if (leave()) await driver.close()
      },
    }
  } catch (error) {
    leave()
    throw error
  }

  /** True for the last user. */
  function leave(): boolean {
    connection.users--
    if (connection.users > 0) return false
    if (connections.get(key) === connection) connections.delete(key)
    return true
  }
}

async function connect(file: string): Promise<Driver> {
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
}

function driverOf(database: Database.Database, file: string): Driver {
  const turnstile = createTurnstile()
  const db = new Kysely<Tables>({ dialect: libsqlDialect(database, turnstile) })
  const texts = partStatements(db)
  let prepared: Readonly<Record<PartWrite["kind"], Database.Statement>> | undefined
  let pragmas: { readonly normal: Database.Statement; readonly full: Database.Statement } | undefined

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

/**
 * SQLite gives -wal and -shm the mode of the file, so the file gets its mode before SQLite sees it. No descriptor is
 * opened on the file itself: closing one drops every POSIX lock that SQLite holds on it in this process, and then
 * another process deletes the write-ahead log under it.
 */
function makePrivate(file: string): void {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) chmodSync(folder, 0o700)
  if (!existsSync(file)) createPrivate(file)
  for (const part of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(part)) chmodSync(part, 0o600)
}

/** Creates an empty file under another name and links it into place, unless somebody was faster. */
function createPrivate(file: string): void {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString("hex")}`
  closeSync(openSync(draft, "wx", 0o600))
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(draft)
  }
}

function rethrow(error: unknown): never {
  const constraint = String((error as { code?: unknown } | null)?.code).startsWith("SQLITE_CONSTRAINT")
  throw constraint ? new Clash("the row does not fit", { cause: error }) : error
}
