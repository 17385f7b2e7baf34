import { setTimeout as sleep } from "node:timers/promises"
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type Driver as KyselyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely"
import type Database from "libsql"
import type { Tables } from "../../schema/tables.js"
import { Clash, type Driver, type JournalWrite, journalStatements, valuesOf } from "../driver.js"
import { explain, isBusy } from "./explain.js"
import type { WriteAheadLog } from "./write-ahead-log.js"

/** The journal on an open SQLite database; without a log SQLite syncs every commit itself. */
export function sqliteDriver(database: Database.Database, file: string, log: WriteAheadLog | undefined): Driver {
  const mutex = new Mutex()
  const db = new Kysely<Tables>({ dialect: libsqlDialect(database, mutex) })
  const writer = new JournalWriter(database, db, mutex, log)
  return {
    place: file,
    db,
    idType: "text",
    async transaction(work, { synced } = { synced: true }) {
      const result = await db.transaction().execute(work).catch(rethrow)
      if (synced) log?.sync()
      return result
    },
    write: (writes) => writer.write(writes),
    async readVersion(from) {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(from)
      return rows[0]!.user_version
    },
    async writeVersion(to, version) {
      await sql`pragma user_version = ${sql.lit(version)}`.execute(to)
    },
    explain: (error, action) => explain(error, action, file),
    async close() {
      await mutex.enter()
      database.close()
      log?.close()
    },
  }
}

/** Writes rows without the query builder: this is the hot path. */
class JournalWriter {
  private readonly database: Database.Database
  private readonly mutex: Mutex
  private readonly texts: ReturnType<typeof journalStatements>
  private readonly prepared: Partial<Record<JournalWrite["kind"], Database.Statement>> = {}
  private readonly log: WriteAheadLog | undefined
  private transaction: { readonly begin: Database.Statement; readonly commit: Database.Statement } | undefined

  constructor(database: Database.Database, db: Kysely<Tables>, mutex: Mutex, log: WriteAheadLog | undefined) {
    this.database = database
    this.mutex = mutex
    this.log = log
    this.texts = journalStatements(db)
  }

  async write(writes: readonly JournalWrite[]): Promise<void> {
    if (!this.mutex.tryEnter()) await this.mutex.enter()
    try {
      this.writeOnce(writes)
    } catch (error) {
      if (!isBusy(error)) rethrow(error)
      await retryWhileBusy(() => this.writeOnce(writes)).catch(rethrow)
    } finally {
      this.mutex.leave()
    }
  }

  /** What is not synced survives the end of this process, but not a power cut. */
  private writeOnce(writes: readonly JournalWrite[]): void {
    // A statement outside a transaction is its own transaction: one flush, as cheap as a commit gets.
    if (writes.length === 1) this.writeOne(writes[0]!)
    else this.writeTogether(writes)
    if (writes.some(({ synced }) => synced)) this.log?.sync()
  }

  private writeTogether(writes: readonly JournalWrite[]): void {
    this.transaction ??= {
      begin: this.database.prepare("begin immediate"),
      commit: this.database.prepare("commit"),
    }
    this.transaction.begin.run(nothing)
    try {
      for (const part of writes) this.writeOne(part)
      this.transaction.commit.run(nothing)
    } catch (error) {
      if (this.database.inTransaction) this.database.exec("rollback")
      throw error
    }
  }

  private writeOne(write: JournalWrite): void {
    const text = this.texts[write.kind]
    this.prepared[write.kind] ??= this.database.prepare(text.sql)
    const { changes } = this.prepared[write.kind]!.run(valuesOf(write, text))
    if (changes !== 1) throw new Clash("the part is not open")
  }
}

/** For statements without values: the library would make a list for each run (bench: durable-turn). */
const nothing: readonly unknown[] = []

function rethrow(error: unknown): never {
  const constraint = String((error as { code?: unknown } | null)?.code).startsWith("SQLITE_CONSTRAINT")
  throw constraint ? new Clash("the row does not fit", { cause: error }) : error
}

/** Lets one user in at a time, in the order in which they came. */
class Mutex {
  private readonly waiting: (() => void)[] = []
  private isLocked = false

  /** Enters at once when nobody is inside; false when one has to wait. */
  tryEnter(): boolean {
    if (this.isLocked) return false
    this.isLocked = true
    return true
  }

  async enter(): Promise<void> {
    if (this.tryEnter()) return
    await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  leave(): void {
    const next = this.waiting.shift()
    // The place passes straight to the next, so that nobody who comes later slips in between.
    if (next) next()
    else this.isLocked = false
  }
}

/**
 * Runs a statement again while another process holds the write lock. SQLite itself waits only briefly, because it
 * blocks this thread; the long wait is here, where other work goes on.
 */
export async function retryWhileBusy<Result>(run: () => Result, patienceMs = 15_000): Promise<Result> {
  const deadline = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(Math.random() * Math.min(5 * attempt, 50))
    }
  }
}

/**
 * The query builder on a libsql connection. It shares the mutex with the hot path, so that a batch of parts never
 * lands inside somebody else's open transaction.
 */
function libsqlDialect(database: Database.Database, mutex: Mutex): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => libsqlDriver(database, mutex),
  }
}

function libsqlDriver(database: Database.Database, mutex: Mutex): KyselyDriver {
  const connection = libsqlConnection(database)
  const run = (text: string) => retryWhileBusy(() => void database.exec(text))
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      await mutex.enter()
      return connection
    },
    // A deferred transaction that reads first can find its snapshot outdated when it comes to write.
    beginTransaction: () => run("begin immediate"),
    commitTransaction: () => run("commit"),
    rollbackTransaction: async () => {
      // A full disk or an I/O error has rolled back already.
      if (database.inTransaction) database.exec("rollback")
    },
    releaseConnection: async () => mutex.leave(),
    destroy: async () => undefined,
  }
}

function libsqlConnection(database: Database.Database): DatabaseConnection {
  const statements = new Map<string, Database.Statement>()
  return {
    executeQuery: <Row>(query: CompiledQuery) =>
      retryWhileBusy(() => execute<Row>(prepared(query.sql), query.parameters)),
    streamQuery: () => {
      throw new Error("the journal reads in pages, not in streams")
    },
  }

  function prepared(text: string): Database.Statement {
    const known = statements.get(text)
    if (known) return known
    const statement = database.prepare(text)
    if (statements.size < 100) statements.set(text, statement)
    return statement
  }
}

function execute<Row>(statement: Database.Statement, parameters: readonly unknown[]): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all([...parameters]) as Row[] }
  return { rows: [], numAffectedRows: BigInt(statement.run([...parameters]).changes) }
}
