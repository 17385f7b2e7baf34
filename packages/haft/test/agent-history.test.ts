import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { AgentWorld, all, type SeenMessage } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

const said = (prompt: readonly SeenMessage[] | undefined) =>
  prompt?.filter(({ role }) => role === "user").map(({ content }) => (content as { text: string }[])[0]!.text)
const writes = (file: string) => ({ calls: [{ name: "write", args: { file_path: file, content: "x\n" } }] })
const allowed = { rules: [{ permission: "fs.write", action: "allow" }] } as const

test("[C2-65] [C2-117] a fork goes on with what was said, by itself and without the answers that held in the session", async () => {
  const first = await world.model(writes("b.txt"), { text: "Written." }, writes("b.txt"), { text: "Two." })
  const asked: string[] = []
  const person = {
    ask: async ({ callId }: { readonly callId: string }) => {
      asked.push(callId)
      return { answer: "session" as const }
    },
    question: async () => [],
  }
  const haft = await world.open({ person })
  const agent = haft.agent({ model: first.model })
  await all(agent.send("Write it"))
  await all(agent.send("Second"))
  const origin = await agent.session()
  expect(asked).toHaveLength(1)
  const [turn] = (await (await haft.store()).records(origin)).map(({ turnId }) => turnId)
  const copy = await haft.forkSession(origin, { at: turn! })
  expect(copy.metadata.forkedFrom).toEqual({ session: origin, at: turn })
  const other = await world.model(writes("b.txt"), { text: "Asked again." })
  const branch = haft.agent({ model: other.model, session: copy.id })
  await all(branch.send("Once more"))
  expect((await branch.result).text).toBe("Asked again.")
  expect(said(other.prompts[0])).toEqual(["Write it", "Once more"])
  expect(other.prompts[0]!.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ])
  expect(asked, "the answer of the origin does not hold in its copy").toHaveLength(2)
  const store = await haft.store()
  for (const id of [origin, copy.id]) expect(await store.verify(id)).toMatchObject({ ok: true })
})

test("[C2-116] a rewind hides later turns from the model and keeps them and their files", async () => {
  const seen = await world.model(
    writes("b.txt"),
    { text: "One." },
    writes("c.txt"),
    { text: "Two." },
    { text: "Three." },
  )
  const haft = await world.open(allowed)
  const agent = haft.agent({ model: seen.model })
  await all(agent.send("First"))
  await all(agent.send("Second"))
  const session = await agent.session()
  const store = await haft.store()
  const turns = [...new Set((await store.records(session)).map(({ turnId }) => turnId))]
  expect(await haft.rewindSession(session, turns[0]!)).toBe(turns[0])
  await all(agent.send("Third"))
  expect(said(seen.prompts.at(-1))).toEqual(["First", "Third"])
  expect(JSON.stringify(seen.prompts.at(-1))).not.toContain("c.txt")
  expect(existsSync(join(world.work, "c.txt"))).toBe(true)
  const kept = (await store.records(session)).map(({ kind, turnId }) => `${turns.indexOf(turnId)} ${kind}`)
  expect(kept).toContain("1 end")
  expect(kept).toContain("0 rewind")
  expect(await store.verify(session)).toMatchObject({ ok: true })
  await expect(haft.rewindSession(session, turns[1]!)).rejects.toThrow("an earlier rewind has hidden it")
  await expect(haft.rewindSession(session, "turn_none")).rejects.toMatchObject({ code: "not_found" })
})

test("a session that no process has open is rewound too, and the next one goes on there", async () => {
  const haft = await world.open()
  const agent = haft.agent({ model: (await world.model({ text: "One." }, { text: "Two." })).model })
  await all(agent.send("First"))
  await all(agent.send("Second"))
  const session = await agent.session()
  const [first] = (await (await haft.store()).records(session)).map(({ turnId }) => turnId)
  await haft.close()
  const other = await world.open()
  await other.rewindSession(session.slice(0, 20), first!.slice(0, 24))
  const seen = await world.model({ text: "Three." })
  await all(other.agent({ model: seen.model, session }).send("Third"))
  expect(said(seen.prompts[0])).toEqual(["First", "Third"])
})

test("a session that works is neither forked nor rewound", async () => {
  const { model } = await world.model({ text: "One." }, writes("b.txt"), { text: "Over." })
  const haft = await world.open()
  const agent = haft.agent({ model, person: "events" })
  await all(agent.send("First"))
  const session = await agent.session()
  const [first] = (await (await haft.store()).records(session)).map(({ turnId }) => turnId)
  for await (const event of agent.send("Second")) {
    if (event.type !== "ask") continue
    await expect(haft.forkSession(session)).rejects.toMatchObject({ code: "conflict" })
    await expect(haft.rewindSession(session, first!)).rejects.toMatchObject({ code: "conflict" })
    const [wait] = await agent.waits()
    await agent.answer(wait!.name, { answer: "once" })
  }
  expect((await haft.forkSession(session)).id).toMatch(/^ses_/)
})

test("a message that waited is read behind the turn that it waited for, also by the next process", async () => {
  const { model } = await world.model(writes("b.txt"), { text: "One." }, { text: "Two." })
  const haft = await world.open(allowed)
  const agent = haft.agent({ model })
  const second: Promise<unknown>[] = []
  for await (const event of agent.send("First")) {
    if (event.type === "tool-end") second.push(all(agent.send("Second")))
  }
  await Promise.all(second)
  const session = await agent.session()
  await haft.close()
  const seen = await world.model({ text: "Three." })
  await all((await world.open()).agent({ model: seen.model, session }).send("Third"))
  expect(seen.prompts[0]!.map(({ role }) => role)).toEqual([
    ...["system", "user", "assistant", "tool", "assistant"],
    ...["user", "assistant", "user"],
  ])
  expect(said(seen.prompts[0])).toEqual(["First", "Second", "Third"])
})

test("work in the background belongs to the origin, and a fork does not go on with it", async () => {
  const background = { subagent_type: "general", prompt: "Go", background: true }
  const lines = [
    { calls: [{ name: "task", args: background }] },
    { text: "Started." },
    { agent: "general", ...writes("b.txt") },
  ]
  const haft = await world.open()
  const agent = haft.agent({ model: (await world.model(...lines)).model, person: "events" })
  await all(agent.send("Go"))
  await vi.waitFor(async () => expect(await agent.waits()).toHaveLength(1), { timeout: 10_000 })
  const origin = await agent.session()
  await agent.close()
  const copy = await haft.forkSession(origin)
  const seen = await world.model({ text: "Here I am." }, { text: "Unused." })
  const branch = haft.agent({ model: seen.model, person: "events", session: copy.id })
  const events = [...(await all(branch.send("Who works?"))), ...(await all(branch.rest()))]
  expect((await branch.result).text).toBe("Here I am.")
  expect(events.filter(({ type }) => type === "child-start")).toEqual([])
  expect(seen.prompts).toHaveLength(1)
})

test("undo takes back what the origin did, once, and not what its copy tells of", async () => {
  const { model } = await world.model(writes("b.txt"), { text: "One." })
  const haft = await world.open(allowed)
  const agent = haft.agent({ model })
  await all(agent.send("First"))
  const copy = await haft.forkSession(await agent.session())
  const [told] = await (await haft.store()).calls(copy.id)
  await expect(haft.undo(told!.callId)).rejects.toMatchObject({
    code: "conflict",
    hint: `Take those back with: haft undo ${told!.copyOf}`,
  })
  expect(await readFile(join(world.work, "b.txt"), "utf8")).toBe("x\n")
  expect((await haft.undo()).callId).toBe(told!.copyOf)
  expect(existsSync(join(world.work, "b.txt"))).toBe(false)
})

test("a reply is on disk before the next step, by itself or with the mark of the call that must not run twice", async () => {
  const { model } = await world.model({ calls: [{ name: "read", args: { file_path: "a.txt" } }] }, writes("b.txt"), {
    text: "Done.",
  })
  const haft = await world.open(allowed)
  const store = await haft.store()
  const append = vi.spyOn(store, "append")
  const begin = vi.spyOn(store, "begin")
  const agent = haft.agent({ model })
  await all(agent.send("Write it"))
  const written = append.mock.calls.map(
    ([record, { synced }]) => `${"key" in record ? record.key : record.kind} ${synced}`,
  )
  expect(written).toEqual(["start true", "prompt false", "reply:1 true", "reply:2 false", "reply:3 true", "end false"])
  const begun = begin.mock.calls.findIndex(([call]) => call.tool === "write")
  expect(begin.mock.invocationCallOrder[begun]).toBeGreaterThan(append.mock.invocationCallOrder[3]!)
})

test("a small step takes less than 1 KiB of the journal: a reply with a call, its mark, and the end", async () => {
  const { model } = await world.model({ text: "I look.", calls: [{ name: "ls", args: {} }] }, { text: "Done." })
  const haft = await world.open()
  const agent = haft.agent({ model })
  await all(agent.send("Look"))
  const sizes: [string, number][] = []
  for await (const line of (await haft.store()).exportLines(await agent.session())) {
    const { part } = JSON.parse(line) as { part?: { type: string; data: { key?: string } } }
    if (part?.type.startsWith("data-turn-") && part.data.key !== "prompt") {
      // The values of its row: the names of columns are not stored with each.
      sizes.push([part.type, JSON.stringify(Object.values(part)).length])
    }
  }
  expect(sizes.map(([type]) => type)).toEqual(["data-turn-step", "data-turn-step", "data-turn-end"])
  for (const [type, bytes] of sizes) expect(bytes, type).toBeLessThan(1024)
})

test("the record of a small call takes less than 1 KiB, with its decision, its result and its link", async () => {
  const calls = [{ name: "calculator", args: { expression: "1 + 1" } }]
  const { model } = await world.model({ calls }, { text: "Done." })
  const haft = await world.open({ toolset: "all" })
  const agent = haft.agent({ model })
  await all(agent.send("Count"))
  const session = await agent.session()
  const sizes: number[] = []
  for await (const line of (await haft.store()).exportLines(session)) {
    const { part } = JSON.parse(line) as { part?: { type: string; data: object } }
    if (part?.type === "tool-calculator") sizes.push(JSON.stringify(part.data).length)
  }
  expect(sizes).toEqual([expect.any(Number)])
  expect(sizes[0]).toBeLessThan(1024)
  const [call] = await (await haft.store()).calls(session)
  expect(call!.ladder.rungs.map(({ rung, verdict }) => `${rung} ${verdict}`)).toEqual([
    "schema pass",
    "capability pass",
    "manifest pass",
    "rules allow",
    "watchdog pass",
    "mode allow",
  ])
  expect(call!.envelope).toMatchObject({ metadata: { call_id: call!.callId, session_id: session } })
})
