import { expect, test, vi } from "vitest"
import { changeMetadata } from "../src/session-metadata.js"
import { openCall, sampleCall, sampleSession } from "./samples.js"
import type { World } from "./world.js"

/** Promises about ownership, kept on every database. */
export function ownershipSuite(world: World): void {
  test("a session has one owner; another store is refused with the owner's name until it is given back", async () => {
    const sessionId = await world.newSession()
    const lease = await world.store.claim(sessionId)
    const other = await world.open()
    const refusal = { code: "conflict", message: expect.stringContaining(sessionId) }
    await expect(other.claim(sessionId)).rejects.toMatchObject(refusal)
    await expect(world.store.claim(sessionId)).rejects.toMatchObject(refusal)
    await expect(other.settle(sampleCall(sessionId))).rejects.toMatchObject(refusal)
    await expect(other.savePermissions(sessionId, [])).rejects.toMatchObject(refusal)
    await expect(other.removeSession(sessionId)).rejects.toMatchObject(refusal)
    await lease.release()
    const next = await other.claim(sessionId)
    await other.settle(sampleCall(sessionId))
    await next.release()
    await other.close()
    await expect(world.store.claim("ses_none")).rejects.toMatchObject({ code: "not_found" })
  })

  test("a new session is created with its owner, and a taken id is refused", async () => {
    const session = sampleSession()
    const lease = await world.store.claimNew(session)
    expect(lease).toMatchObject({ sessionId: session.id, closed: [] })
    expect(await world.store.session(session.id)).toEqual(session)
    const other = await world.open()
    await expect(other.claim(session.id)).rejects.toMatchObject({ code: "conflict" })
    await expect(other.claimNew(session)).rejects.toMatchObject({ code: "conflict", message: /the id is taken/ })
    const [first, second] = [sampleCall(session.id), sampleCall(session.id)]
    await world.store.settle(first)
    await world.store.settle(second)
    await lease.release()
    expect((await world.store.calls(session.id)).map(({ callId }) => callId)).toEqual([first.callId, second.callId])
    expect(await world.store.verify(session.id)).toMatchObject({ ok: true, parts: 2 })
    await (await other.claim(session.id)).release()
    await other.close()
  })

  test("an owner on another machine loses the session after long silence, and notices", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    try {
      const sessionId = await world.newSession()
      const lease = await world.store.claim(sessionId)
      await world.store.settle(sampleCall(sessionId))
      const other = await world.open()
      await changeOwner(sessionId, { machine: "elsewhere", heartbeat: Date.now() - 30_000 })
      await expect(other.claim(sessionId)).rejects.toMatchObject({ code: "conflict" })
      await changeOwner(sessionId, { machine: "elsewhere", heartbeat: Date.now() - 61_000 })
      const taken = await other.claim(sessionId)
      expect(lease.lost.aborted).toBe(false)
      const noticed = new Promise((resolve) => lease.lost.addEventListener("abort", resolve))
      await vi.advanceTimersByTimeAsync(10_000)
      await noticed
      await expect(world.store.settle(sampleCall(sessionId))).rejects.toMatchObject({ code: "conflict" })
      await other.settle(sampleCall(sessionId))
      expect(await other.verify(sessionId)).toMatchObject({ ok: true, parts: 2 })
      await taken.release()
      await other.close()
      await lease.release()
    } finally {
      vi.useRealTimers()
    }
  })

  test("an owner whose lease grew stale does not write from memory to a session that another has taken", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] })
    try {
      const sessionId = await world.newSession()
      await world.store.claim(sessionId)
      await world.store.settle(sampleCall(sessionId))
      const other = await world.open()
      await changeOwner(sessionId, { machine: "elsewhere", heartbeat: Date.now() - 61_000 })
      const taken = await other.claim(sessionId)
      vi.setSystemTime(Date.now() + 46_000)
      await expect(world.store.settle(sampleCall(sessionId))).rejects.toMatchObject({ code: "conflict" })
      expect(await other.verify(sessionId)).toMatchObject({ ok: true, parts: 1 })
      await taken.release()
      await other.close()
    } finally {
      vi.useRealTimers()
    }
  })

  test("[C2-107] calls that a former owner left open are closed with an error before the next run; waits for a person stay", async () => {
    const sessionId = await world.newSession()
    const crashed = await world.open()
    const [lost, waiting] = [sampleCall(sessionId), sampleCall(sessionId, { tool: "question", name: "question" })]
    await crashed.begin(openCall(lost))
    await crashed.begin(openCall(waiting))
    const lease = await world.store.claim(sessionId, { waitsForPerson: (call) => call.tool === "question" })
    expect(lease.closed.map((call) => call.callId)).toEqual([lost.callId])
    expect((await world.store.call(lost.callId))?.envelope).toMatchObject({
      type: "error",
      metadata: { error_code: "unavailable", call_id: lost.callId },
    })
    expect((await world.store.call(waiting.callId))?.envelope).toBeUndefined()
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 1, open: 1 })
    await world.store.settle(waiting)
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 2, open: 0 })
    await lease.release()
    await crashed.close()
  })

  test("the head of the chain is on the session's row after a release, and after many calls before it", async () => {
    const sessionId = await world.newSession()
    const lease = await world.store.claim(sessionId)
    const head = async () => (await world.store.session(sessionId))?.metadata.chain as { seq: number } | undefined
    for (let done = 0; done < 150; done++) await world.store.settle(sampleCall(sessionId))
    expect((await head())?.seq).toBeGreaterThanOrEqual(64)
    await lease.release()
    expect((await head())?.seq).toBe(150)
  })

  async function changeOwner(sessionId: string, changes: object): Promise<void> {
    await world.driver.transaction((db) =>
      changeMetadata(db, { id: sessionId, at: Date.now() }, (metadata) => ({
        ...metadata,
        owner: { ...metadata.owner!, ...changes },
      })),
    )
  }
}
