import type { Kysely } from "kysely"
import type { PartRow, Tables } from "../schema/tables.js"

/** A statement compiled once, and the values that one row gives it. */
export interface PartStatement {
  readonly sql: string
  readonly values: (row: PartRow) => unknown[]
}

/** The two statements of the hot path, built by the query builder and then used as text. */
export function partStatements(db: Kysely<Tables>): Readonly<Record<"insert" | "settle", PartStatement>> {
  const insert = db.insertInto("chat_parts").values(sample).compile()
  const settle = db
    .updateTable("chat_parts")
    .set({ index: 0, data_json: "", tool_state: null, updated_at: 0 })
    .where("id", "=", "")
    .where("tool_state", "=", "input-available")
    .compile()
  return {
    insert: { sql: insert.sql, values: (row) => columns.map((column) => row[column]) },
    settle: {
      sql: settle.sql,
      values: (row) => [row.index, row.data_json, row.tool_state, row.updated_at, row.id, "input-available"],
    },
  }
}

const sample: PartRow = {
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
const columns = Object.keys(sample) as readonly (keyof PartRow)[]
