import { sql } from "kysely"
import { expect, test } from "vitest"
import { createId } from "../src/create-id.js"
import { openCall, sampleCall } from "./samples.js"
import type { World } from "./world.js"

/** Promises about calls, kept on every database. */
export function callSuite(world: World): void {
  test("a settled call is found again as it was recorded, by its id and by a beginning of it", async () => {
    const sessionId = await world.newSession()
    const call = sampleCall(sessionId, { state: { hunks: [1] } })
    await world.store.settle(call)
    expect(await world.store.call(call.callId)).toEqual(call)
    expect(await world.store.call(call.callId.slice(0, -2))).toEqual(call)
    expect(await world.store.call("call_nothing")).toBeUndefined()
    expect(await world.store.calls(sessionId)).toEqual([call])
  })

  test("[C2-100] a part is keyed by its call and moves from input-available to its end in the same row", async () => {
    const sessionId = await world.newSession()
    const good = sampleCall(sessionId)
    const bad = sampleCall(sessionId, {
      envelope: {
        type: "error",
        error_text: "Cannot write",
        metadata: { duration_ms: 1, call_id: "c", session_id: sessionId, error_code: "conflict" },
      },
    })
    const states = async () =>
      (
        await world.driver.db
          .selectFrom("chat_parts")
          .select(["id", "tool_state", "tool_call_id", "type"])
          .where("session_id", "=", sessionId)
          .orderBy("id")
          .execute()
      ).map((row) => [row.id, row.tool_call_id, row.type, row.tool_state])
    await world.store.begin(openCall(good))
    await world.store.begin(openCall(bad))
    expect(await states()).toEqual([
      [good.id, good.callId, "tool-write", "input-available"],
      [bad.id, bad.callId, "tool-write", "input-available"],
    ])
    expect(await world.store.calls(sessionId)).toEqual([openCall(good), openCall(bad)])
    await world.store.settle(bad)
    await world.store.settle(good)
    expect((await states()).map((row) => row[3])).toEqual(["output-available", "output-error"])
    expect(await world.store.calls(sessionId)).toEqual([bad, good])
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 2, open: 0 })
  })

  test("effects that come after the end of a call are chained and found with it", async () => {
    const sessionId = await world.newSession()
    const call = sampleCall(sessionId)
    const other = sampleCall(sessionId)
    await world.store.settle(call)
    await world.store.settle(other)
    const reached = { kind: "net.fetch", host: "example.org", port: 443 } as const
    const refused = { kind: "net.fetch", host: "example.net", port: 443, refused: "no rule allows it" } as const
    for (const effects of [[reached], [refused, reached]]) {
      await world.store.observe({ id: createId("prt"), callId: call.callId, sessionId, effects, at: 7 })
    }
    const whole = { ...call, effects: [...call.effects, reached, refused, reached] }
    expect(await world.store.calls(sessionId)).toEqual([whole, other])
    expect(await world.store.call(call.callId)).toEqual(whole)
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 4 })
  })

  test("[C2-164] the assistant's message appears with its first part, one for all direct calls", async () => {
    const sessionId = await world.newSession()
    const messages = () =>
      world.driver.db.selectFrom("chat_messages").selectAll().where("session_id", "=", sessionId).execute()
    expect(await messages()).toHaveLength(0)
    await world.store.settle(sampleCall(sessionId))
    await world.store.settle(sampleCall(sessionId))
    expect(await messages()).toMatchObject([{ role: "assistant", session_id: sessionId }])
  })

  test("a settled call is never written again", async () => {
    const sessionId = await world.newSession()
    const call = sampleCall(sessionId)
    await world.store.settle(call)
    await expect(world.store.settle({ ...call, endedAt: 9 })).rejects.toMatchObject({ code: "conflict" })
    const lease = await world.store.claim(sessionId)
    await expect(world.store.settle({ ...call, endedAt: 9 })).rejects.toMatchObject({ code: "conflict" })
    await expect(world.store.begin(openCall(call))).rejects.toMatchObject({ code: "conflict" })
    await world.store.settle(sampleCall(sessionId))
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 2 })
    expect(await world.store.calls(sessionId)).toContainEqual(call)
    await lease.release()
  })

  test("many calls at once are all recorded, in the order in which they came, in one chain per session", async () => {
    const [first, second] = [await world.newSession(), await world.newSession()]
    const lease = await world.store.claim(first)
    const calls = Array.from({ length: 300 }, (_, index) => sampleCall(index % 3 === 0 ? second : first))
    await Promise.all(calls.map((call) => world.store.settle(call)))
    for (const sessionId of [first, second]) {
      const own = calls.filter((call) => call.sessionId === sessionId)
      expect((await world.store.calls(sessionId)).map((call) => call.callId)).toEqual(own.map((call) => call.callId))
      expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: own.length })
    }
    await lease.release()
  })

  test("a call that cannot be recorded does not take its neighbours with it", async () => {
    const sessionId = await world.newSession()
    const results = await Promise.allSettled([
      world.store.settle(sampleCall(sessionId)),
      world.store.settle(sampleCall("ses_gone")),
      world.store.settle(sampleCall(sessionId)),
    ])
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 2 })
  })

  test("records are redacted before they are written, and the chain covers the redacted form", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`
    const known = 'correct horse "battery" staple'
    const sessionId = await world.newSession({ metadata: { title: `deploy ${secret}` } })
    const call = sampleCall(sessionId, {
      rawArguments: { text: `token ${secret}` },
      envelope: {
        type: "output",
        data: { content: `key is ${known}` },
        metadata: { duration_ms: 1, call_id: "c", session_id: sessionId },
      },
    })
    await world.store.begin(openCall(call))
    await world.store.settle(call)
    const { rows } = await sql<{ data: string }>`
      select data_json as data from chat_parts where session_id = ${sessionId}
      union all select metadata_json as data from chat_sessions where id = ${sessionId}`.execute(world.driver.db)
    const text = rows.map((row) => row.data).join("\n")
    expect(text).not.toContain(secret)
    expect(text).not.toContain("battery")
    expect(text).toContain("[secret:github:")
    expect(text).toContain("[secret:deploy-key:")
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true })
  })

  test("hostile values are kept: NUL, lone surrogates, deep nesting, a key named __proto__", async () => {
    const sessionId = await world.newSession()
    const rawArguments = {
      text: "a\0b \ud800 \u2028",
      proto: JSON.parse('{"__proto__":{"x":1}}'),
      deep: JSON.parse("[".repeat(20_000) + "]".repeat(20_000)),
    }
    const call = sampleCall(sessionId, { rawArguments })
    await world.store.settle(call)
    const kept = (await world.store.call(call.callId))?.rawArguments as typeof rawArguments
    expect(kept.text).toBe(rawArguments.text)
    expect(JSON.stringify(kept.proto)).toBe('{"__proto__":{"x":1}}')
    expect(JSON.stringify(kept.deep)).toContain("nested too deep")
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true })
  })
}
