import { join } from "node:path"
import type { Haft } from "haft"
import Database from "libsql"

/** One bare committed insert into a table of the journal's shape: what durability itself costs. */
export interface BareInsert {
  insert(bytes: string): void
  close(): void
}

/** Opens an SQLite file with the journal's settings (write-ahead log, every commit synced), columns and indexes. */
export function openBareInsert(folder: string): BareInsert {
  const database = new Database(join(folder, "bare.db"))
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.exec(shape)
  const statement = database.prepare("insert into parts values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  let count = 0
  return {
    insert(bytes) {
      const number = String(++count).padStart(20, "0")
      statement.run(`prt_${number}`, "msg_1", "ses_1", count, "tool-noop", bytes, `call_${number}`, null, count, count)
    },
    close: () => void database.close(),
  }
}

/** What the journal keeps of the first call of a session. */
export async function storedCall(haft: Haft, sessionId: string): Promise<string> {
  for await (const line of (await haft.store()).exportLines(sessionId)) {
    const { part } = JSON.parse(line) as { readonly part?: { readonly type: string; readonly data: unknown } }
    if (part?.type.startsWith("tool-")) return JSON.stringify(part.data)
  }
  throw new Error("the session has no call")
}

// Every index is a page more to write and to sync: without them this would be the price of another table.
const shape = `
  create table parts (
    id text primary key, message_id text not null, session_id text not null, "index" bigint not null,
    type text not null, data_json text not null, tool_call_id text, tool_state text,
    created_at bigint not null, updated_at bigint not null
  );
  create index by_session on parts (session_id);
  create index by_call on parts (tool_call_id);
  create unique index by_place on parts (message_id, "index");
`
