import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver as KyselyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"
import type Database from "libsql"
import { retryWhileBusy, type Turnstile } from "./turnstile.js"

/**
 * The query builder on a libsql connection. It shares the turnstile with the hot path, so that a batch of parts never
 * lands inside somebody else's open transaction.
 */
export function libsqlDialect(database: Database.Database, turnstile: Turnstile): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => libsqlDriver(database, turnstile),
  }
}

function libsqlDriver(database: Database.Database, turnstile: Turnstile): KyselyDriver {
  const connection = libsqlConnection(database)
  const run = (text: string) => retryWhileBusy(() => void database.exec(text))
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      await turnstile.enter()
      return connection
    },
    // A deferred transaction that reads first can find its snapshot outdated when it comes to write.
    beginTransaction: () => run("begin immediate"),
    commitTransaction: () => run("commit"),
    rollbackTransaction: async () => {
      // A full disk or an I/O error has rolled back already.
      if (database.inTransaction) database.exec("rollback")
    },
    releaseConnection: async () => turnstile.leave(),
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
