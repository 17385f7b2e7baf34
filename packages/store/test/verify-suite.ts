import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import type { VerifyReport } from "../src/store.js"
import { sampleCall } from "./samples.js"
import type { World } from "./world.js"

/** Promises about verify, kept on every database. */
export function verifySuite(world: World): void {
  const broken = (changes: Partial<Extract<VerifyReport, { ok: false }>>) => ({ ok: false, ...changes })
  const partIds = async (sessionId: string) =>
    (
      await world.driver.db
        .selectFrom("chat_parts")
        .select(["id", "data_json", "index"])
        .where("session_id", "=", sessionId)
        .orderBy("index")
        .execute()
    ).map((row) => row)
  const setPart = (id: string, changes: object) =>
    world.driver.db.updateTable("chat_parts").set(changes).where("id", "=", id).execute()

  test("an untouched session is right, an empty one too, a missing one is not found", async () => {
    const sessionId = await world.newSessionWithCalls(5)
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 5, open: 0, head: { seq: 5 } })
    expect(await world.store.verify(await world.newSession())).toMatchObject({ ok: true, parts: 0 })
    await expect(world.store.verify("ses_none")).rejects.toMatchObject({ code: "not_found" })
  })

  test("a changed byte is found", async () => {
    const sessionId = await world.newSessionWithCalls(5)
    const part = (await partIds(sessionId))[2]!
    await setPart(part.id, { data_json: part.data_json.replace('"bytes_written":1', '"bytes_written":2') })
    expect(await world.store.verify(sessionId)).toMatchObject(
      broken({ failure: "changed", seq: 3, partId: part.id, parts: 2 }),
    )
  })

  test("data that is no JSON any more is found", async () => {
    const sessionId = await world.newSessionWithCalls(2)
    const part = (await partIds(sessionId))[1]!
    await setPart(part.id, { data_json: part.data_json.slice(0, -5) })
    expect(await world.store.verify(sessionId)).toMatchObject(broken({ failure: "changed", seq: 2 }))
    await expect(world.store.settle(sampleCall(sessionId))).rejects.toMatchObject({ code: "backend" })
  })

  test("a changed column is found", async () => {
    const sessionId = await world.newSessionWithCalls(3)
    const part = (await partIds(sessionId))[1]!
    await setPart(part.id, { tool_state: "output-error" })
    expect(await world.store.verify(sessionId)).toMatchObject(broken({ failure: "changed", seq: 2 }))
  })

  test("a removed part is found", async () => {
    const sessionId = await world.newSessionWithCalls(5)
    await world.driver.db
      .deleteFrom("chat_parts")
      .where("id", "=", (await partIds(sessionId))[1]!.id)
      .execute()
    expect(await world.store.verify(sessionId)).toMatchObject(broken({ failure: "missing", seq: 2, parts: 1 }))
  })

  test("a removed end is found up to the saved head", async () => {
    const sessionId = await world.newSessionWithCalls(5)
    for (const part of (await partIds(sessionId)).slice(3)) {
      await world.driver.db.deleteFrom("chat_parts").where("id", "=", part.id).execute()
    }
    expect(await world.store.verify(sessionId)).toMatchObject(broken({ failure: "missing", seq: 4, parts: 3 }))
  })

  test("a part hidden as an open call is found", async () => {
    const sessionId = await world.newSessionWithCalls(3)
    await setPart((await partIds(sessionId))[1]!.id, { tool_state: "input-available" })
    expect(await world.store.verify(sessionId)).toMatchObject(broken({ seq: 2, failure: "reordered" }))
  })

  test("two parts that changed places are found, whether their rows or their data moved", async () => {
    for (const move of ["rows", "data"]) {
      const sessionId = await world.newSessionWithCalls(5)
      const [, second, , fourth] = await partIds(sessionId)
      if (move === "rows") {
        await setPart(second!.id, { index: 1000 })
        await setPart(fourth!.id, { index: second!.index })
        await setPart(second!.id, { index: fourth!.index })
      } else {
        await setPart(second!.id, { data_json: fourth!.data_json })
        await setPart(fourth!.id, { data_json: second!.data_json })
      }
      expect(await world.store.verify(sessionId)).toMatchObject(broken({ failure: "reordered", seq: 2 }))
    }
  })

  test("a chain that was rewritten from some part on does not fit the saved head", async () => {
    const [original, forged] = [await world.newSessionWithCalls(3), await world.newSessionWithCalls(3)]
    const row = await world.driver.db
      .selectFrom("chat_sessions")
      .select("metadata_json")
      .where("id", "=", original)
      .executeTakeFirstOrThrow()
    const metadata_json = row.metadata_json
    await world.driver.db.updateTable("chat_sessions").set({ metadata_json }).where("id", "=", forged).execute()
    expect(await world.store.verify(forged)).toMatchObject(broken({ failure: "head mismatch", seq: 3 }))
  })

  test("each hash is the SHA-256 of the hash before it and the text of the record", async () => {
    const sessionId = await world.newSessionWithCalls(3)
    let previous = ""
    for (const { data_json } of await partIds(sessionId)) {
      const [, text, , prev, hash] = chained.exec(data_json)!
      expect(prev).toBe(previous)
      expect(hash).toBe(sha256(`${prev}${text}}`))
      previous = hash!
    }
    expect(previous).toMatch(/^[0-9a-f]{64}$/)
  })

  test("a forged part is found although its own hash fits and the next part names it", async () => {
    const sessionId = await world.newSessionWithCalls(4)
    const [, second, third] = await partIds(sessionId)
    const [, text, seq, prev, hash] = chained.exec(second!.data_json)!
    const forgedText = text!.replace('"bytes_written":1', '"bytes_written":2')
    expect(forgedText).not.toBe(text)
    const forged = sha256(`${prev}${forgedText}}`)
    const link = `,"chain":{"seq":${seq},"prev":"${prev}","hash":"${forged}"}}`
    await setPart(second!.id, { data_json: `${forgedText}${link}` })
    await setPart(third!.id, { data_json: third!.data_json.replace(`"prev":"${hash}"`, `"prev":"${forged}"`) })
    expect(await world.store.verify(sessionId)).toMatchObject(broken({ seq: 3, failure: "changed", parts: 2 }))
  })
}

const chained = /^(.*),"chain":\{"seq":(\d+),"prev":"([0-9a-f]*)","hash":"([0-9a-f]{64})"\}\}$/s
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
