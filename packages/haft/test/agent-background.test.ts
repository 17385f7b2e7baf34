import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

const task = (subagent_type: string, more: object = {}) => ({
  calls: [{ name: "task", args: { subagent_type, prompt: "Go", ...more } }],
})
const write = { name: "write", args: { file_path: "b.txt", content: "x\n" } }
const endsOfTasks = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "tool-end" && event.tool === "task" ? [event.envelope] : []))
const childEnds = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "child-end" ? [event.outcome.reason] : []))

test("a subagent ends after it has read the reports of what it started in the background", async () => {
  const { model, prompts } = await world.model(
    task("general"),
    { agent: "general", ...task("explore", { background: true }) },
    { agent: "general", text: "I have started it." },
    { agent: "explore", calls: [{ name: "ls", args: {} }] },
    { agent: "explore", text: "There is a.txt." },
    { agent: "general", text: "It has found a.txt." },
    { text: "Over." },
  )
  const agent = (await world.open()).agent({ model })
  const events = await all(agent.send("Go"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Over." })
  expect(endsOfTasks(events)[1]).toMatchObject({ data: { output: "It has found a.txt." } })
  expect(childEnds(events)).toEqual(["done", "done"])
  expect(JSON.stringify(prompts.at(-2))).toContain("There is a.txt.")
  expect(prompts).toHaveLength(7)
})

test("a report that comes while the subagent still works is read before it ends", async () => {
  const { model } = await world.model(
    task("general"),
    { agent: "general", ...task("explore", { background: true }) },
    { agent: "explore", text: "There is a.txt." },
    // Long enough for the report to wait behind this turn.
    { agent: "general", calls: [{ name: "bash", args: { command: "sleep 1" } }] },
    { agent: "general", text: "I have slept." },
    { agent: "general", text: "It has found a.txt." },
    { text: "Over." },
  )
  const agent = (await world.open({ rules: [{ permission: "bash", action: "allow" }] })).agent({ model })
  const events = await all(agent.send("Go"))
  expect(endsOfTasks(events)[1]).toMatchObject({ data: { output: "It has found a.txt." } })
})

test.each(["the agent", "a signal"])(
  "an abort by %s reaches what a subagent waits for, and nobody is told of it any more",
  async (by) => {
    const { model, prompts } = await world.model(
      task("general"),
      { agent: "general", ...task("general", { background: true }) },
      { agent: "general", text: "I have started it." },
      { agent: "general", calls: [write] },
      { text: "Here I am." },
    )
    const haft = await world.open()
    const agent = haft.agent({ model, person: "events" })
    const events: SessionEvent[] = []
    const controller = new AbortController()
    for await (const event of agent.send("Go", { signal: controller.signal })) {
      events.push(event)
      const hasEnded = events.some(({ type, session }) => type === "turn-end" && session === children(events)[0])
      if (!hasEnded || !events.some(({ type }) => type === "ask")) continue
      if (by === "a signal") controller.abort()
      else void agent.abort("enough")
    }
    expect(await agent.result).toMatchObject({ reason: "aborted" })
    const store = await haft.store()
    for (const child of children(events)) {
      await vi.waitFor(async () => expect((await store.records(child)).at(-1)).toMatchObject({ kind: "end" }))
    }
    expect((await store.records(children(events)[1]!)).at(-1)).toMatchObject({ result: { state: "aborted" } })
    expect(prompts).toHaveLength(4)
    await all(agent.send("Are you there?"))
    expect(await agent.result).toMatchObject({ reason: "done", text: "Here I am." })
    expect(existsSync(join(world.work, "b.txt"))).toBe(false)
  },
)

test("an abort reaches work in the background also when no turn runs, and nobody is told of it", async () => {
  const { model, prompts } = await world.model(
    task("general", { background: true }),
    { text: "Started." },
    { agent: "general", calls: [write] },
    { text: "Unused." },
  )
  const haft = await world.open()
  const agent = haft.agent({ model, person: "events" })
  const events = await all(agent.send("Go"))
  await vi.waitFor(async () => expect(await agent.waits()).toHaveLength(1), { timeout: 10_000 })
  expect(await agent.abort("enough")).toBe(true)
  const [child] = children(events)
  const store = await haft.store()
  await vi.waitFor(async () =>
    expect((await store.records(child!)).at(-1)).toMatchObject({ kind: "end", result: { state: "aborted" } }),
  )
  await all(agent.rest())
  expect(prompts).toHaveLength(3)
  expect(existsSync(join(world.work, "b.txt"))).toBe(false)
})

test("[C2-131] work in the background of work in the background goes on in the next process, and is reported up", async () => {
  await makeWriter()
  const { model } = await world.model(
    task("general", { background: true }),
    { text: "Started." },
    { agent: "general", ...task("writer", { background: true }) },
    { agent: "general", text: "I have started it." },
    { agent: "writer", calls: [write] },
  )
  const first = await world.open()
  const before = first.agent({ model, person: "events" })
  await all(before.send("Go"))
  await vi.waitFor(async () => expect(await before.waits()).toHaveLength(1), { timeout: 10_000 })
  const session = await before.session()
  await first.close()

  const seen = await world.model(
    { agent: "writer", text: "It is written." },
    { agent: "general", text: "It says that it is written." },
    { text: "So it is." },
  )
  const events: SessionEvent[] = []
  const hooks = { onEvent: (event: SessionEvent) => void events.push(event) }
  const again = (await world.open({ hooks })).agent({ model: seen.model, person: "events", session })
  await again.session()
  await vi.waitFor(async () => expect(await again.waits()).toHaveLength(1), { timeout: 10_000 })
  const [wait] = await again.waits()
  expect(await again.answer(wait!.name, { answer: "once" })).toBe("taken")
  await vi.waitFor(() => expect(seen.prompts).toHaveLength(3), { timeout: 10_000 })
  expect(JSON.stringify(seen.prompts[1])).toContain("It is written.")
  expect(JSON.stringify(seen.prompts[2])).toContain("It says that it is written.")
  await vi.waitFor(() => expect(childEnds(events)).toEqual(["done", "done"]))
  expect(existsSync(join(world.work, "b.txt"))).toBe(true)
})

test("an agent without a journal leaves nothing in memory when it is closed", async () => {
  const haft = await world.open({ storage: { journal: false } })
  const sizes: number[] = []
  for (let round = 0; round < 12; round++) {
    const { model } = await world.model({ text: "Read." })
    const agent = haft.agent({ model })
    await all(agent.send("x".repeat(4_000_000)))
    await agent.close()
    sizes.push(heapAfterCollection())
  }
  expect(sizes.at(-1)! - sizes[3]!, "eight messages of 4 MB").toBeLessThan(16_000_000)
})

function children(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "child-start" ? [event.child] : []))
}

async function makeWriter(): Promise<void> {
  await mkdir(join(world.work, ".agents/agents"), { recursive: true })
  await writeFile(join(world.work, ".agents/agents/writer.md"), "---\nname: writer\ndescription: writes\n---\nWrite.\n")
}

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc")
  ;(runInNewContext("gc") as () => void)()
  return process.memoryUsage().heapUsed
}
