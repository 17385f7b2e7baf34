import { join } from "node:path"
import Database from "libsql"

/** One bare committed insert into a table of the journal's shape: what durability itself costs. */
export interface BareInsert {
  insert(bytes: string): void
  close(): void
}

/** Opens an SQLite file with the journal's settings (write-ahead log, every commit synced). */
export function openBareInsert(folder: string): BareInsert {
  const database = new Database(join(folder, "bare.db"))
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.exec(
    "create table parts (id text primary key, session text, data text); create index by_session on parts (session)",
  )
  const statement = database.prepare("insert into parts (id, session, data) values (?, ?, ?)")
  let count = 0
  return {
    insert: (bytes) => void statement.run(`prt_${String(count++).padStart(20, "0")}`, "ses_1", bytes),
    close: () => void database.close(),
  }
}
