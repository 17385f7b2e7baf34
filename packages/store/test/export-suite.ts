import { join } from "node:path"
import { expect, test } from "vitest"
import { createId } from "../src/create-id.js"
import { openStore } from "../src/open-store.js"
import type { Store } from "../src/store.js"
import { openCall, sampleCall, sampleRedactor } from "./samples.js"
import type { World } from "./world.js"

/** Promises about export and import, kept on every database. */
export function exportSuite(world: World): void {
  const lines = async (sessionId: string, from: Store = world.store) => {
    const result: string[] = []
    for await (const line of from.exportLines(sessionId)) result.push(line)
    return result
  }

  test("[C2-168] an export is lines of type session, message and part, each message before its parts", async () => {
    const sessionId = await world.newSessionWithCalls(3)
    const parsed = (await lines(sessionId)).map((line) => JSON.parse(line))
    expect(parsed.map((line) => line.type)).toEqual(["session", "message", "part", "part", "part"])
    expect(parsed[0].session.id).toBe(sessionId)
    expect(parsed[1].message.session_id).toBe(sessionId)
    expect(parsed[2].part).toMatchObject({
      message_id: parsed[1].message.id,
      type: "tool-write",
      data: { tool: "write" },
    })
    // Folded line by line they are the canonical form, and nothing is left over.
    const canonical = { session: parsed[0].session, messages: [] as { message: { id: string }; parts: unknown[] }[] }
    for (const { message, part } of parsed.slice(1)) {
      if (message) canonical.messages.push({ message, parts: [] })
      else canonical.messages.find((each) => each.message.id === part.message_id)!.parts.push(part)
    }
    expect(canonical).toEqual({
      session: expect.objectContaining({ id: sessionId }),
      messages: [{ message: parsed[1].message, parts: [parsed[2].part, parsed[3].part, parsed[4].part] }],
    })
    await expect(lines("ses_none")).rejects.toMatchObject({ code: "not_found" })
  })

  test("[C2-65] an imported session is the same session, its chain holds, and it brings no permissions", async () => {
    const sessionId = await world.newSession({
      permissions: [{ permission: "*", action: "allow", source: { scope: "session" } }],
      metadata: { title: "kept" },
    })
    const call = sampleCall(sessionId)
    await world.store.begin(openCall(call))
    await world.store.settle(call)
    const exported = await lines(sessionId)
    const elsewhere = await openStore({
      location: join(world.folder, `${createId("call")}.db`),
      redact: sampleRedactor,
    })
    expect(await elsewhere.importLines(exported)).toBe(sessionId)
    expect(await elsewhere.calls(sessionId)).toEqual([call])
    expect(await elsewhere.session(sessionId)).toMatchObject({ permissions: [], metadata: { title: "kept" } })
    expect(await elsewhere.verify(sessionId)).toMatchObject({ ok: true, parts: 1 })
    const again = await lines(sessionId, elsewhere)
    expect(again.slice(1)).toEqual(exported.slice(1))
    await elsewhere.close()
  })

  test("an imported session is read-only data", async () => {
    const sessionId = await world.newSessionWithCalls(1)
    const exported = await lines(sessionId)
    await expect(world.store.importLines(exported)).rejects.toMatchObject({ code: "conflict" })
    await world.store.removeSession(sessionId)
    await world.store.importLines(exported)
    const refusal = { code: "unsupported" }
    await expect(world.store.settle(sampleCall(sessionId))).rejects.toMatchObject(refusal)
    await expect(world.store.claim(sessionId)).rejects.toMatchObject(refusal)
    await expect(world.store.savePermissions(sessionId, [])).rejects.toMatchObject(refusal)
    await world.store.removeSession(sessionId)
  })

  test.each([
    ["no JSON", ["{"]],
    ["no object", ["[1]"]],
    ["nothing", []],
    ["an unknown type", ['{"type":"other","other":{}}']],
    ["a part before its session", ['{"type":"part","part":{"id":"x"}}']],
    ["a session without an id", ['{"type":"session","session":{"agent":"x"}}']],
    ["a NUL in an id", ['{"type":"session","session":{"id":"a\\u0000b"}}']],
  ])("lines with %s are refused and leave nothing behind", async (_what, bad) => {
    await expect(world.store.importLines(bad)).rejects.toMatchObject({ code: "invalid_args" })
  })

  test("a part that names a message of another session's is refused, and nothing of the file stays", async () => {
    const exported = await lines(await world.newSessionWithCalls(1))
    const moved = exported
      .filter((line) => !line.startsWith('{"type":"message"'))
      .map((line) =>
        line
          .replace(/"id":"(?:ses|prt)_\w+"/, `"id":"${createId("ses")}"`)
          .replace(/"message_id":"\w+"/, '"message_id":"msg_none"'),
      )
    await expect(world.store.importLines(moved)).rejects.toMatchObject({ code: "conflict" })
    expect(await world.store.session(JSON.parse(moved[0]!).session.id)).toBeUndefined()
  })
}
