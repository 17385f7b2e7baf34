import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Json, TurnRecord, TurnRecordBody } from "@haft/contract"
import { expect, test } from "vitest"
import { createId } from "../src/create-id.js"
import { openStore } from "../src/open-store.js"
import { openCall, sampleCall, sampleRedactor } from "./samples.js"
import type { World } from "./world.js"

/** Promises about records of turns, kept on every database. */
export function turnSuite(world: World): void {
  let time = 1_700_000_000_000
  const recordOf = (sessionId: string, body: TurnRecordBody, turnId = "t1"): TurnRecord => ({
    sessionId,
    turnId,
    at: ++time,
    ...body,
  })
  const append = async (records: readonly TurnRecord[]) => {
    for (const record of records) await world.store.append(record, { synced: true })
  }
  const messagesOf = async (sessionId: string) => {
    const db = world.driver.db
    const messages = await db
      .selectFrom("chat_messages")
      .selectAll()
      .where("session_id", "=", sessionId)
      .orderBy("created_at")
      .orderBy("id")
      .execute()
    const parts = await db
      .selectFrom("chat_parts")
      .select(["message_id", "type", "index", "data_json"])
      .where("session_id", "=", sessionId)
      .orderBy("index")
      .execute()
    return messages.map(({ id, role, metadata_json }) => ({
      role,
      metadata: JSON.parse(metadata_json),
      parts: parts.filter((part) => part.message_id === id).map(({ type }) => type),
    }))
  }
  const wholeTurn = (sessionId: string, turnId = "t1"): readonly TurnRecord[] => [
    recordOf(sessionId, { kind: "start", input: { text: "Hello", trigger: "test" } }, turnId),
    recordOf(sessionId, { kind: "intent", key: "a" }, turnId),
    recordOf(sessionId, { kind: "step", key: "a", attempt: 1, value: { b: [1, null] } }, turnId),
    recordOf(sessionId, { kind: "failure", key: "f", attempt: 2, error: { message: "no", code: "timeout" } }, turnId),
    recordOf(sessionId, { kind: "wait", name: "w", ask: "?", step: "s" }, turnId),
    recordOf(sessionId, { kind: "answer", name: "w", value: true }, turnId),
    recordOf(sessionId, { kind: "expired", name: "x", state: "timed-out" }, turnId),
    recordOf(sessionId, { kind: "resume", attempt: 2 }, turnId),
    recordOf(sessionId, { kind: "end", result: { state: "done", value: "bye" } }, turnId),
  ]

  for (const isClaimed of [true, false]) {
    test(`records come back as they were written, ${isClaimed ? "by the owner" : "without a lease"}`, async () => {
      const sessionId = await world.newSession()
      const lease = isClaimed ? await world.store.claim(sessionId) : undefined
      const records = [...wholeTurn(sessionId), recordOf(sessionId, { kind: "start", input: "plain" }, "t2")]
      records.push(recordOf(sessionId, { kind: "start", input: [1] }, "t3"))
      await append(records)
      expect(await world.store.records(sessionId)).toEqual(records)
      expect(await world.store.records(sessionId, { from: 2, limit: 3 })).toEqual(records.slice(2, 5))
      expect(await world.store.records("ses_none")).toEqual([])
      await lease?.release()
      expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 11 })
    })
  }

  test("[C2-100] [C2-164] what a user sends is a message with a text part; the rest follows in one that is made late", async () => {
    const sessionId = await world.newSession()
    await world.store.claim(sessionId)
    const [start, ...rest] = wholeTurn(sessionId)
    await append([start!])
    expect(await messagesOf(sessionId)).toEqual([{ role: "user", metadata: { turn: "t1" }, parts: ["text"] }])
    const call = sampleCall(sessionId)
    await append(rest.slice(0, 2))
    await world.store.begin(openCall(call))
    await world.store.settle(call)
    await append([recordOf(sessionId, { kind: "start", input: "next" }, "t2")])
    await append(rest.slice(-1))
    await append([recordOf(sessionId, { kind: "step", key: "a", attempt: 1, value: 1 }, "t2")])
    expect(await messagesOf(sessionId)).toEqual([
      { role: "user", metadata: { turn: "t1" }, parts: ["text"] },
      { role: "assistant", metadata: { turn: "t1" }, parts: ["data-turn-intent", "data-turn-step", "tool-write"] },
      { role: "user", metadata: { turn: "t2" }, parts: ["text"] },
      { role: "assistant", metadata: { turn: "t1" }, parts: ["data-turn-end", "data-turn-step"] },
    ])
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 7, open: 0 })
    expect(await world.store.calls(sessionId)).toEqual([call])
    const text = await world.driver.db
      .selectFrom("chat_parts")
      .select("data_json")
      .where("session_id", "=", sessionId)
      .orderBy("index")
      .executeTakeFirstOrThrow()
    expect(JSON.parse(text.data_json)).toMatchObject({ text: "Hello", input: { trigger: "test" } })
  })

  test("a call that is open when a message comes is settled behind it", async () => {
    const sessionId = await world.newSession()
    for (const owned of [false, true]) {
      if (owned) await world.store.claim(sessionId)
      const call = sampleCall(sessionId)
      await world.store.begin(openCall(call))
      await append([recordOf(sessionId, { kind: "start", input: "between" }, `turn ${owned}`)])
      await world.store.settle(call)
    }
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 4, open: 0 })
  })

  test("records that do not wait for one another keep their order, also around large ones", async () => {
    const sessionId = await world.newSession()
    await world.store.claim(sessionId)
    const records = Array.from({ length: 30 }, (_, index) =>
      recordOf(sessionId, {
        kind: "step",
        key: `${index}`,
        attempt: 1,
        value: "x".repeat(index % 7 === 3 ? 300_000 : 10),
      }),
    )
    await Promise.all(records.map((record) => world.store.append(record, { synced: record.at % 2 === 0 })))
    const keys = (await world.store.records(sessionId)).map((record) => record.kind === "step" && record.key)
    expect(keys).toEqual(records.map((_, index) => `${index}`))
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 30 })
  })

  test("secrets are taken out of records and of large values", async () => {
    const sessionId = await world.newSession()
    const secret = 'correct horse "battery" staple'
    const large = { pad: "p".repeat(300_000), secret }
    await append([
      recordOf(sessionId, { kind: "start", input: { text: `use ${secret}` } }),
      recordOf(sessionId, { kind: "step", key: "a", attempt: 1, value: large }),
    ])
    const stored = JSON.stringify(await world.store.records(sessionId)).replaceAll("p".repeat(1000), "")
    expect(stored).not.toContain("battery")
    expect(stored).toContain("[secret:deploy-key:")
    expect(await blobTexts(sessionId)).toMatchObject([expect.not.stringContaining("battery")])
  })

  const blobTexts = async (sessionId: string) => {
    const folder = join(world.folder, "blobs", sessionId)
    const names = await readdir(folder).catch(() => [])
    return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  }

  test("F11 values of every size come back; those above 256 KiB are private files beside the journal", async () => {
    const sessionId = await world.newSession()
    await world.store.claim(sessionId)
    const sizes = [0, 1, 256 * 1024, 1024 * 1024, 8 * 1024 * 1024, 40 * 1024 * 1024]
    const values: Json[] = sizes.map((size, index) => (index % 2 ? "é".repeat(size / 2) : { deep: ["x".repeat(size)] }))
    const records = values.map((value, index) =>
      recordOf(sessionId, { kind: "step", key: `${index}`, attempt: 1, value }),
    )
    await Promise.all(records.map((record) => world.store.append(record, { synced: true })))
    const rows = await world.driver.db
      .selectFrom("chat_parts")
      .select("data_json")
      .where("session_id", "=", sessionId)
      .orderBy("index")
      .execute()
    for (const row of rows) expect(Buffer.byteLength(row.data_json)).toBeLessThan(1024 * 1024)
    const found = await world.store.records(sessionId)
    for (const [index, record] of found.entries()) expect(record).toEqual(records[index])
    const folder = join(world.folder, "blobs", sessionId)
    const names = await readdir(folder)
    expect(names).toHaveLength(4)
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 6 })
    await world.store.removeSession(sessionId)
    await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" })
  })

  test("a large value that was changed or removed is found", async () => {
    for (const damage of ["changed", "removed"]) {
      const sessionId = await world.newSession()
      await append([recordOf(sessionId, { kind: "step", key: "a", attempt: 1, value: "v".repeat(300_000) })])
      const folder = join(world.folder, "blobs", sessionId)
      const [name] = await readdir(folder)
      if (damage === "changed") await writeFile(join(folder, name!), '"other"')
      else await rm(join(folder, name!))
      expect(await world.store.verify(sessionId)).toMatchObject({ ok: false, failure: "changed", seq: 1 })
      await expect(world.store.records(sessionId)).rejects.toMatchObject({ code: "backend" })
    }
  })

  test("a record that was changed is found", async () => {
    const sessionId = await world.newSession()
    await append(wholeTurn(sessionId))
    const row = await world.driver.db
      .selectFrom("chat_parts")
      .select(["id", "data_json"])
      .where("session_id", "=", sessionId)
      .where("type", "=", "data-turn-answer")
      .executeTakeFirstOrThrow()
    const data_json = row.data_json.replace('"value":true', '"value":false')
    await world.driver.db.updateTable("chat_parts").set({ data_json }).where("id", "=", row.id).execute()
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: false, failure: "changed", seq: 6 })
  })

  test("an export carries turns and large values to another journal, with the chain", async () => {
    const sessionId = await world.newSession()
    const records = [
      ...wholeTurn(sessionId),
      recordOf(sessionId, { kind: "step", key: "large", attempt: 1, value: "v".repeat(300_000) }, "t2"),
    ]
    await append(records)
    const exported: string[] = []
    for await (const line of world.store.exportLines(sessionId)) exported.push(line)
    const types = exported.map((line) => JSON.parse(line).type as string)
    expect(types.slice(0, 4)).toEqual(["session", "message", "part", "message"])
    expect(types.slice(-2)).toEqual(["part", "blob"])
    const folder = join(world.folder, createId("call"))
    const elsewhere = await openStore({ location: join(folder, "journal.db"), redact: sampleRedactor })
    expect(await elsewhere.importLines(exported)).toBe(sessionId)
    expect(await elsewhere.records(sessionId)).toEqual(records)
    expect(await elsewhere.verify(sessionId)).toMatchObject({ ok: true, parts: 10 })
    await elsewhere.close()
  })

  test("[C2-128] a child session names its parent and the message that it came from", async () => {
    const parent = await world.newSession()
    await append(wholeTurn(parent).slice(0, 2))
    const child = await world.newSession({ parentId: parent })
    const found = await world.store.session(child)
    const last = await world.driver.db
      .selectFrom("chat_messages")
      .select(["id", "role"])
      .where("session_id", "=", parent)
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow()
    expect(last.role).toBe("assistant")
    expect(found).toMatchObject({ parentId: parent, parentMessageId: last.id })
    expect(await world.store.session(parent)).not.toHaveProperty("parentId")
  })

  test("a small step takes less than 1 KiB of the journal", async () => {
    const sessionId = await world.newSession()
    await append([recordOf(sessionId, { kind: "step", key: "reply:1", attempt: 1, value: "x".repeat(200) })])
    const row = await world.driver.db
      .selectFrom("chat_parts")
      .selectAll()
      .where("session_id", "=", sessionId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(Object.values(row)).length).toBeLessThan(1024)
  })
}
