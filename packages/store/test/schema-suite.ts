import { expect, test } from "vitest"
import type { World } from "./world.js"

/** Promises about schema, kept on every database. */
export function schemaSuite(world: World): void {
  test("[C2-165] the tables have exactly the specified columns", async () => {
    const tables = await world.driver.db.introspection.getTables()
    const columns = (table: string) =>
      tables
        .find((found) => found.name === table)
        ?.columns.map((column) => column.name)
        .sort()
    const names = (text: string) => text.split(" ").sort()
    expect(columns("chat_sessions")).toEqual(
      names(
        "id agent workspace_root model_json parent_id parent_message_id permissions_json metadata_json prompt_tokens completion_tokens reasoning_tokens cache_read cache_write total_tokens cost_usd created_at updated_at archived_at",
      ),
    )
    expect(columns("chat_messages")).toEqual(names("id session_id role metadata_json created_at updated_at"))
    expect(columns("chat_parts")).toEqual(
      names("id message_id session_id index type data_json tool_call_id tool_state created_at updated_at"),
    )
  })

  test("opening twice at the same time, and again later, keeps the data", async () => {
    const sessionId = await world.newSessionWithCalls(1)
    const stores = await Promise.all([world.open(), world.open(), world.open()])
    for (const other of stores) expect(await other.calls(sessionId)).toHaveLength(1)
    await Promise.all(stores.map((other) => other.close()))
  })

  test("a schema newer than this version knows is refused and left alone", async () => {
    await world.driver.transaction((db) => world.driver.writeVersion(db, 99))
    await expect(world.open()).rejects.toMatchObject({ code: "unsupported", message: expect.stringContaining("99") })
    await world.driver.transaction((db) => world.driver.writeVersion(db, 3))
    await (await world.open()).close()
  })
}
