import { Kysely, PostgresDialect, sql } from "kysely"
import type { Pool, PoolClient } from "pg"
import type { Tables } from "../../schema/tables.js"
import { Clash, type Driver, type JournalWrite, journalStatements, valuesOf } from "../driver.js"
import { explain } from "./explain.js"

/** Opens a journal in a PostgreSQL database. */
export async function openPostgres(location: string): Promise<Driver> {
  const place = withoutCredentials(location)
  const { default: pg } = await import("pg")
  const pool = new pg.Pool({
    connectionString: location,
    max: 4,
    connectionTimeoutMillis: 10_000,
    allowExitOnIdle: true,
    // Times and counts fit a double; the default gives bigint columns as text.
    types: { getTypeParser: (oid, format) => (oid === bigintOid ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => undefined)
  try {
    await pool.query("select 1")
  } catch (error) {
    await pool.end()
    throw explain(error, "open the journal", place)
  }
  return driverOf(pool, place)
}

function driverOf(pool: Pool, place: string): Driver {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const write = rowWriter(db)
  let closed = false

  return {
    place,
    db,
    idType: sql`text collate "C"`,
    transaction: (work) => db.transaction().execute(work).catch(rethrow),
    write: (writes) => (writes.length === 1 ? write(pool, writes[0]!) : together(pool, writes, write)).catch(rethrow),
    async readVersion(from) {
      // Held to the end of a transaction; outside of one it is given back at once.
      await sql`select pg_advisory_xact_lock(${schemaLock})`.execute(from)
      const { rows } = await sql<{
        present: boolean
      }>`select to_regclass('haft_schema') is not null as present`.execute(from)
      if (!rows[0]!.present) return 0
      const found = await sql<{ version: number }>`select version from haft_schema`.execute(from)
      return found.rows[0]?.version ?? 0
    },
    async writeVersion(to, version) {
      await sql`create table if not exists haft_schema (version integer not null)`.execute(to)
      await sql`delete from haft_schema`.execute(to)
      await sql`insert into haft_schema (version) values (${version})`.execute(to)
    },
    explain: (error, action) => explain(error, action, place),
    async close() {
      if (closed) return
      closed = true
      await pool.end()
    },
  }
}

type WriteRow = (client: Pool | PoolClient, write: JournalWrite) => Promise<void>

function rowWriter(db: Kysely<Tables>): WriteRow {
  const texts = journalStatements(db)
  return async (client, write) => {
    const text = texts[write.kind]
    const values = [...valuesOf(write, text)]
    const { rowCount } = await client.query({ name: `haft_${write.kind}`, text: text.sql, values })
    if (rowCount !== 1) throw new Clash("the part is not open")
  }
}

async function together(pool: Pool, writes: readonly JournalWrite[], write: WriteRow): Promise<void> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query("begin")
    for (const row of writes) await write(client, row)
    await client.query("commit")
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const bigintOid = 20
// Any fixed number: it keeps two processes from migrating one database at the same time.
const schemaLock = 4_177_001

function withoutCredentials(location: string): string {
  try {
    const url = new URL(location)
    url.username = ""
    url.password = ""
    url.search = ""
    return url.toString()
  } catch {
    return "postgres"
  }
}

function rethrow(error: unknown): never {
  // Class 23 of SQLSTATE: integrity constraints.
  const constraint = String((error as { code?: unknown } | null)?.code).startsWith("23")
  throw constraint ? new Clash("the row does not fit", { cause: error }) : error
}
