import { expect, test } from "vitest"
import { createId } from "../src/create-id.js"
import { sampleCall } from "./samples.js"
import type { World } from "./world.js"

/** Promises about undo, kept on every database. */
export function undoSuite(world: World): void {
  const root = () => `/undo/${createId("call")}`
  const write = (path: string) => ({ kind: "fs.write", path, before: null, after: "1", kept: true }) as const

  test("the newest call that changed a file under the roots is found in any session", async () => {
    const here = root()
    const [first, second] = [await world.newSession(), await world.newSession()]
    const older = sampleCall(first, { effects: [write(`${here}/a.ts`)], startedAt: Date.now() - 5 })
    const newer = sampleCall(second, { effects: [write(`${here}/b.ts`)], startedAt: Date.now() })
    await world.store.settle(newer)
    await world.store.settle(older)
    await world.store.settle(sampleCall(first, { effects: [{ kind: "fs.read", path: `${here}/a.ts` }] }))
    await world.store.settle(sampleCall(first, { effects: [write(`${here}-not/a.ts`)] }))
    expect((await world.store.lastCallWithFileEffects([here]))?.callId).toBe(newer.callId)
    expect(await world.store.lastCallWithFileEffects([root()])).toBeUndefined()
  })

  test("an undone call is noted in the chain and not found again", async () => {
    const here = root()
    const sessionId = await world.newSession()
    const calls = [1, 2].map((at) => sampleCall(sessionId, { effects: [write(`${here}/a.ts`)], startedAt: at }))
    for (const call of calls) await world.store.settle(call)
    await world.store.markUndone(calls[1]!.callId, 77)
    expect(await world.store.undoneAt(calls[1]!.callId)).toBe(77)
    expect(await world.store.undoneAt(calls[0]!.callId)).toBeUndefined()
    expect((await world.store.lastCallWithFileEffects([here]))?.callId).toBe(calls[0]!.callId)
    expect(await world.store.verify(sessionId)).toMatchObject({ ok: true, parts: 3 })
    expect(await world.store.calls(sessionId)).toHaveLength(2)
    await expect(world.store.markUndone(calls[1]!.callId, 78)).rejects.toMatchObject({ code: "conflict" })
    await expect(world.store.markUndone("call_none", 78)).rejects.toMatchObject({ code: "not_found" })
  })

  test("another process may undo in a session that is owned, and the owner's chain goes on", async () => {
    const sessionId = await world.newSession()
    const lease = await world.store.claim(sessionId)
    const call = sampleCall(sessionId, { effects: [write("/x/a.ts")] })
    await world.store.settle(call)
    await world.store.settle(sampleCall(sessionId))
    const other = await world.open()
    await other.markUndone(call.callId, 5)
    await world.store.settle(sampleCall(sessionId))
    await Promise.all([world.store.settle(sampleCall(sessionId)), world.store.settle(sampleCall(sessionId))])
    expect(await other.verify(sessionId)).toMatchObject({ ok: true, parts: 6 })
    await other.close()
    await lease.release()
  })
}
