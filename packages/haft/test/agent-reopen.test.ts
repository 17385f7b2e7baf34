import { existsSync, readdirSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { ignoreMissing, type SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { Haft } from "../src/index.js"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

const task = (more: object = {}) => ({ name: "task", args: { subagent_type: "general", prompt: "Go", ...more } })
const diskFails = () => Promise.reject(new Error("the disk does not answer"))

/** A session whose agents in the background wait for a person, as a process that ended left it. */
async function leftAtWork(count: number): Promise<{ readonly session: string; readonly children: readonly string[] }> {
  const write = { name: "write", args: { file_path: "b.txt", content: "x\n" } }
  const { model } = await world.model(
    { calls: Array.from({ length: count }, () => task({ background: true })) },
    ...Array.from({ length: count }, () => ({ agent: "general", calls: [write] })),
    { text: "Started." },
  )
  const haft = await world.open()
  const agent = haft.agent({ model, person: "events" })
  const children = startedIn(await all(agent.send("Go")))
  await vi.waitFor(async () => expect(await agent.waits()).toHaveLength(count), { timeout: 10_000 })
  const session = await agent.session()
  await haft.close()
  return { session, children }
}

function startedIn(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "child-start" ? [event.child] : []))
}

/** Lets one look at the records of a session fail; those that `counts` leaves out succeed. */
async function failRecords(haft: Haft, counts: (session: string, isPage: boolean) => boolean): Promise<void> {
  const store = await haft.store()
  const records = store.records.bind(store)
  let hasFailed = false
  vi.spyOn(store, "records").mockImplementation((session, page) => {
    if (hasFailed || !counts(session, page !== undefined)) return records(session, page)
    hasFailed = true
    return diskFails()
  })
}

test("a subagent whose work could not be begun is let go of, and its session opens again", async () => {
  const { model } = await world.model({ calls: [task()] }, { text: "It did not start." }, { text: "Here I am." })
  const haft = await world.open()
  const agent = haft.agent({ model })
  const parent = await agent.session()
  const store = await haft.store()
  const append = store.append.bind(store)
  vi.spyOn(store, "append").mockImplementation((record, options) =>
    record.sessionId === parent ? append(record, options) : diskFails(),
  )
  const events = await all(agent.send("Go"))
  expect(JSON.stringify(events.filter(({ type }) => type === "tool-end"))).toContain("the disk does not answer")
  expect(events.filter(({ type }) => type === "child-end")).toMatchObject([{ outcome: { reason: "failed" } }])
  vi.restoreAllMocks()
  const [child] = startedIn(events)
  const again = haft.agent({ model, session: child! })
  await all(again.send("And now?"))
  expect((await again.result).text).toBe("Here I am.")
})

test("a subagent that could not be resumed is let go of, and its session opens again", async () => {
  const { session, children } = await leftAtWork(1)
  const haft = await world.open()
  await failRecords(haft, (id, isPage) => id === children[0] && isPage)
  const seen = await world.model({ text: "It did not go on." })
  const agent = haft.agent({ model: seen.model, person: "events", session })
  expect(await agent.session()).toBe(session)
  await vi.waitFor(() => expect(seen.prompts).toHaveLength(1), { timeout: 10_000 })
  expect(JSON.stringify(seen.prompts[0])).toContain("could not be resumed: the disk does not answer")
  const again = haft.agent({ model: seen.model, person: "events", session: children[0]! })
  expect(await again.session()).toBe(children[0])
})

test("no subagent is opened for a session that could not be resumed, and all are when it can", async () => {
  const { session } = await leftAtWork(2)
  const haft = await world.open()
  let looks = 0
  await failRecords(haft, (id, isPage) => id === session && !isPage && ++looks === 1)
  const { model } = await world.model()
  const agent = haft.agent({ model, person: "events", session })
  await expect(agent.session()).rejects.toThrow("the disk does not answer")
  expect(await agent.session()).toBe(session)
  await vi.waitFor(async () => expect(await agent.waits()).toHaveLength(2), { timeout: 10_000 })
})

test("a message behind a turn that failed is run all the same", async () => {
  const { model } = await world.model({ text: "Second." })
  const haft = await world.open()
  const agent = haft.agent({ model })
  await failRecords(haft, (_, isPage) => !isPage)
  const sent = [agent.send("One"), agent.send("Two")].map(all)
  const ends = (await Promise.all(sent)).flat().flatMap((event) => (event.type === "turn-end" ? [event.outcome] : []))
  expect(ends).toContainEqual(expect.objectContaining({ reason: "failed", message: "the disk does not answer" }))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Second." })
})

test.skipIf(!existsSync("/proc/self/fd")).each([
  ["a model that cannot be opened", { model: "script:/nowhere.jsonl" }, false],
  ["a session that cannot be opened", { session: "ses_nowhere" }, true],
])("%s leaves no recording open", async (_, options, isBegun) => {
  const { model } = await world.model()
  const record = join(world.folder, "recorded.jsonl")
  await expect((await world.open()).agent({ model, record, ...options }).session()).rejects.toThrow("nowhere")
  expect(existsSync(record)).toBe(isBegun)
  const open = readdirSync("/proc/self/fd").map((name) => ignoreMissing(() => readlinkSync(`/proc/self/fd/${name}`)))
  expect(open).not.toContain(record)
})
