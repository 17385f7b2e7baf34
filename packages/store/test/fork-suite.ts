import type { Json, TurnRecord, TurnRecordBody, Usage } from "@haft/contract"
import { expect, test } from "vitest"
import { createId } from "../src/create-id.js"
import { openCall, sampleCall } from "./samples.js"
import type { World } from "./world.js"

/** Promises about copies of sessions and about what models used, kept on every database. */
export function forkSuite(world: World): void {
  let time = 1_700_000_000_000
  const write = async (sessionId: string, turnId: string, ...bodies: readonly TurnRecordBody[]) => {
    for (const body of bodies) {
      const record: TurnRecord = { sessionId, turnId, at: ++time, ...body }
      await world.store.append(record, { synced: true })
    }
  }
  const usage = (inputTokens: number): Usage => ({
    inputTokens,
    outputTokens: 10,
    reasoningTokens: 3,
    cacheReadTokens: 2,
    cacheWriteTokens: 1,
    cost: 0.5,
  })
  const reply = (step: number, calls: readonly string[], more: object = {}): TurnRecordBody => ({
    kind: "step",
    key: `reply:${step}`,
    attempt: 1,
    value: { ok: true, reply: { usage: usage(100) }, calls: calls.map((id) => ({ id })), ...more } as unknown as Json,
  })
  const end: TurnRecordBody = { kind: "end", result: { state: "done", value: null } }
  const start = (text: string): TurnRecordBody => ({ kind: "start", input: { text } })
  const effects = [{ kind: "fs.write", path: "/work/a/a.ts" }] as never

  /** Two turns: the first with two calls, the second with one. */
  const twoTurns = async () => {
    const sessionId = await world.newSession({ metadata: { title: "Work", folder: "f1" } })
    const calls = [1, 2, 3].map(() => sampleCall(sessionId, { effects, text: "written" }))
    const lease = await world.store.claim(sessionId)
    await world.store.savePermissions(sessionId, [
      { permission: "fs.write", pattern: "**", action: "allow", source: { scope: "session" } },
    ])
    await write(sessionId, "turn_a", start("first"), reply(1, [calls[0]!.callId, calls[1]!.callId]))
    await world.store.settle(calls[0]!)
    await world.store.settle(calls[1]!)
    await write(sessionId, "turn_a", end)
    await write(sessionId, "turn_b", start("second"), reply(1, [calls[2]!.callId]))
    await world.store.settle(calls[2]!)
    await write(sessionId, "turn_b", reply(2, []), end)
    await lease.release()
    return { sessionId, calls: calls.map(({ callId }) => callId) }
  }
  const fork = (sessionId: string, at?: string) => world.store.fork(sessionId, { at, metadata: { folder: "f2" } })
  const kinds = async (id: string) => (await world.store.records(id)).map(({ kind, turnId }) => `${turnId} ${kind}`)

  test("[C2-65] [C2-117] a fork has the words under new ids, no rules, sums of its own and a chain that names its origin", async () => {
    const { sessionId, calls } = await twoTurns()
    const copy = await fork(sessionId)
    expect(copy).toMatchObject({ permissions: [], agent: "direct", roots: ["/work/a"] })
    expect(copy.metadata).toMatchObject({
      title: "Work (copy)",
      folder: "f2",
      forkedFrom: { session: sessionId },
    })
    expect(copy.usage).toEqual({
      ...usage(300),
      outputTokens: 30,
      reasoningTokens: 9,
      cacheReadTokens: 6,
      cacheWriteTokens: 3,
      cost: 1.5,
    })
    expect(await kinds(copy.id)).toEqual(await kinds(sessionId))
    const copied = await world.store.calls(copy.id)
    expect(copied.map(({ copyOf }) => copyOf)).toEqual(calls)
    expect(copied.map(({ effects }) => effects)).toEqual([[], [], []])
    expect(copied.map(({ callId, envelope }) => envelope!.metadata.call_id === callId)).toEqual([true, true, true])
    const [, asked] = await world.store.records(copy.id)
    expect(asked).toMatchObject({ value: { calls: copied.slice(0, 2).map(({ callId }) => ({ id: callId })) } })
    expect(new Set([...calls, ...copied.map(({ callId }) => callId)]).size).toBe(6)
    const report = await world.store.verify(copy.id)
    expect(report).toMatchObject({ ok: true, parts: 11, open: 0 })
    const first = await world.driver.db
      .selectFrom("chat_parts")
      .select(["type", "data_json"])
      .where("session_id", "=", copy.id)
      .orderBy("index")
      .executeTakeFirstOrThrow()
    const origin = await world.store.verify(sessionId)
    expect(first.type).toBe("data-fork")
    expect(JSON.parse(first.data_json).origin).toEqual({ session: sessionId, ...(origin.ok && origin.head) })
    expect((await world.store.session(sessionId))!.permissions).toHaveLength(1)
  })

  test("a fork at a turn ends with it, one at a call in its middle, and the beginning of an id is enough", async () => {
    const { sessionId, calls } = await twoTurns()
    const atTurn = await fork(sessionId, "turn_a")
    expect(await kinds(atTurn.id)).toEqual(["turn_a start", "turn_a step", "turn_a end"])
    expect(await world.store.calls(atTurn.id)).toHaveLength(2)
    expect(atTurn.usage?.inputTokens).toBe(100)
    const atCall = await fork(sessionId, calls[0])
    expect((await world.store.records(atCall.id)).at(-1)).toMatchObject({
      kind: "end",
      turnId: "turn_a",
      result: { state: "aborted", reason: "the session was forked in the middle of this turn" },
    })
    expect((await world.store.calls(atCall.id)).map(({ copyOf }) => copyOf)).toEqual([calls[0]])
    for (const { id } of [atTurn, atCall]) expect(await world.store.verify(id)).toMatchObject({ ok: true })
    expect(await kinds((await fork(sessionId, calls[2]!.slice(0, 29))).id)).toContain("turn_b end")
    for (const at of ["", "turn_none", "turn_"]) {
      await expect(fork(sessionId, at)).rejects.toMatchObject({ code: "not_found" })
    }
  })

  test("what a rewind hides is not copied, and the copy can be forked again", async () => {
    const { sessionId } = await twoTurns()
    await write(sessionId, "turn_a", { kind: "rewind" })
    await write(sessionId, "turn_c", start("third"), reply(1, []), end)
    const copy = await fork((await fork(sessionId)).id)
    expect(await kinds(copy.id)).toEqual([
      ...["turn_a start", "turn_a step", "turn_a end"],
      ...["turn_c start", "turn_c step", "turn_c end"],
    ])
    expect(await world.store.calls(copy.id)).toHaveLength(2)
    await expect(fork(sessionId, "turn_b")).rejects.toThrow("rewound before it")
    expect(await world.store.verify(copy.id)).toMatchObject({ ok: true })
  })

  test("a session that works is not forked; one that a dead process left in the middle of a turn is", async () => {
    const sessionId = await world.newSession()
    const lease = await world.store.claim(sessionId)
    const call = sampleCall(sessionId)
    await write(sessionId, "turn_a", start("first"), reply(1, [call.callId]))
    await world.store.begin(openCall(call))
    await write(sessionId, "turn_b", start("waits"))
    await expect(fork(sessionId)).rejects.toMatchObject({ code: "conflict", hint: expect.stringContaining("Wait") })
    await lease.release()
    const copy = await fork(sessionId)
    expect(await kinds(copy.id)).toEqual(["turn_a start", "turn_a step", "turn_a end"])
    expect(await world.store.calls(copy.id)).toMatchObject([
      { copyOf: call.callId, envelope: { type: "error", metadata: { error_code: "unavailable" } } },
    ])
    expect(await world.store.verify(copy.id)).toMatchObject({ ok: true, open: 0 })
  })

  test("large values are copied with the ids in them", async () => {
    const sessionId = await world.newSession()
    const call = sampleCall(sessionId)
    await write(sessionId, "turn_a", start("first"), reply(1, [call.callId], { pad: "v".repeat(300_000) }))
    await world.store.settle(call)
    await write(sessionId, "turn_a", end)
    const copy = await fork(sessionId)
    await world.store.removeSession(sessionId)
    const [made] = await world.store.calls(copy.id)
    expect((await world.store.records(copy.id))[1]).toMatchObject({ value: { calls: [{ id: made!.callId }] } })
    expect(made!.callId).not.toBe(call.callId)
    expect(copy.usage?.inputTokens).toBe(100)
    expect(await world.store.verify(copy.id)).toMatchObject({ ok: true })
  })

  test("undo finds the call of the origin and never its copy", async () => {
    const { sessionId, calls } = await twoTurns()
    await fork(sessionId)
    expect((await world.store.lastCallWithFileEffects(["/work/a"]))?.callId).toBe(calls[2])
  })

  test("[C2-103] a session's row sums what models used; after a crash the journal is counted", async () => {
    const sessionId = await world.newSession()
    expect(await world.store.session(sessionId)).not.toHaveProperty("usage")
    await write(sessionId, "turn_a", start("slow way"), reply(1, []))
    const lease = await world.store.claim(sessionId)
    await write(sessionId, "turn_a", reply(2, []), {
      kind: "step",
      key: "context:3",
      attempt: 1,
      value: { usage: usage(7) } as never,
    })
    await lease.release()
    const [listed] = await world.store.sessions({ limit: 1 })
    expect(listed).toMatchObject({ id: sessionId, usage: { inputTokens: 207, outputTokens: 30, cost: 1.5 } })
    const row = await world.driver.db
      .selectFrom("chat_sessions")
      .selectAll()
      .where("id", "=", sessionId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      prompt_tokens: 207,
      completion_tokens: 30,
      reasoning_tokens: 9,
      cache_read: 6,
      cache_write: 3,
    })
    expect(row.total_tokens).toBe(207 + 30 + 6 + 3)
    // An owner that died without writing its sums: its process is one that cannot be.
    const dead = {
      process: "x",
      pid: 2 ** 22 + 1,
      host: "h",
      machine: JSON.parse(row.metadata_json).machine ?? "",
      started: "1",
      heartbeat: 0,
    }
    const metadata_json = JSON.stringify({ ...JSON.parse(row.metadata_json), owner: dead })
    await world.driver.db
      .updateTable("chat_sessions")
      .set({ metadata_json, prompt_tokens: 0, cost_usd: 0 })
      .where("id", "=", sessionId)
      .execute()
    await (await world.store.claim(sessionId)).release()
    expect((await world.store.session(sessionId))!.usage).toMatchObject({ inputTokens: 207, cost: 1.5 })
  })

  test("an imported session is not forked", async () => {
    const { sessionId } = await twoTurns()
    const lines: string[] = []
    for await (const line of world.store.exportLines(sessionId)) lines.push(line)
    await world.store.removeSession(sessionId)
    await world.store.importLines(lines)
    await expect(fork(sessionId)).rejects.toThrow("imported")
    await expect(fork(createId("ses"))).rejects.toMatchObject({ code: "not_found" })
  })
}
