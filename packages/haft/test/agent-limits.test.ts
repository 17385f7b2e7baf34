import type { SessionEvent, TurnInput, TurnOutcome } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Agent } from "../src/index.js"
import { AgentWorld, all, type SeenModel } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

/** Three cents at the price of the model. */
const usage = { input: 10_000, output: 0 }
const cents = (count: number) => expect.closeTo(count / 100, 6)
const list = { name: "ls", args: {} }
const options = [
  { label: "a", description: "a" },
  { label: "b", description: "b" },
]
const question = { name: "question", args: { questions: [{ question: "What?", header: "H", options }] } }
const task = (subagent_type = "general", more: object = {}) => ({
  name: "task",
  args: { subagent_type, prompt: "Go", ...more },
})
const main = (...calls: object[]) => ({ agent: "haft", usage, calls })
const general = (...calls: object[]) => ({ agent: "general", usage, calls })

/** A scripted model under the name of one whose price is known. */
async function priced(...lines: readonly object[]): Promise<SeenModel> {
  const seen = await world.model(...lines)
  const named: Record<PropertyKey, string> = { provider: "anthropic", modelId: "claude-sonnet-4-5" }
  const model = new Proxy(seen.model, { get: (target, key) => named[key] ?? Reflect.get(target, key) })
  return { ...seen, model }
}

function childEnds(events: readonly SessionEvent[]): readonly TurnOutcome[] {
  return events.flatMap((event) => (event.type === "child-end" ? [event.outcome] : []))
}

function childOf(events: readonly SessionEvent[]): string {
  return events.find((event) => event.type === "child-start")!.child
}

const waitOf = (agent: Agent) =>
  vi.waitFor(
    async () => {
      const waits = await agent.waits()
      expect(waits).toHaveLength(1)
      return waits[0]!.name
    },
    { timeout: 10_000 },
  )

describe("what a subagent used counts in the turn that waits for it", () => {
  test("in its usage, at any depth, and once", async () => {
    const { model } = await priced(
      main(task()),
      general(task("explore")),
      { agent: "explore", usage, calls: [list] },
      { agent: "explore", usage, text: "Found." },
      general(task("explore", { background: true })),
      { agent: "general", usage, text: "I wait." },
      { agent: "explore", usage, text: "Found more." },
      { agent: "general", usage, text: "Found all." },
      { agent: "haft", usage, text: "Over." },
    )
    const agent = (await world.open()).agent({ model })
    const events = await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({
      text: "Over.",
      steps: 2,
      usage: { inputTokens: 90_000, cost: cents(27) },
    })
    expect(childEnds(events).at(-1)).toMatchObject({ text: "Found all.", steps: 4, usage: { cost: cents(21) } })
  })

  test("for its limit of cost, and the subagent has what is left of it", async () => {
    const { model, prompts } = await priced(main(task()), general(list), general(list), main(list), {
      agent: "haft",
      text: "Over.",
    })
    const agent = (await world.open()).agent({ model, limits: { maxCost: 0.05 } })
    const events = await all(agent.send("Go"))
    const message = "The turn reached its limit of $0.05"
    expect(await agent.result).toMatchObject({ reason: "limit", message, steps: 1, usage: { cost: cents(6) } })
    expect(childEnds(events)).toMatchObject([
      { reason: "limit", message: "The turn reached its limit of $0.02", steps: 1 },
    ])
    expect(prompts).toHaveLength(2)
  })

  test("for the limit of the next subagent of the same reply", async () => {
    const { model, prompts } = await priced(main(task(), task()), { agent: "general", usage, text: "Done." })
    const agent = (await world.open()).agent({ model, limits: { maxCost: 0.05 } })
    const events = await all(agent.send("Go"))
    expect(childEnds(events)).toMatchObject([{ reason: "done" }, { reason: "limit", steps: 0 }])
    expect(await agent.result).toMatchObject({ reason: "limit", usage: { cost: cents(6) } })
    expect(prompts).toHaveLength(2)
  })

  test("although the price of another reply is not known", async () => {
    const { model } = await priced(main(task()), { agent: "general", text: "Done." }, main(list), {
      agent: "haft",
      usage,
      text: "Over.",
    })
    const agent = (await world.open()).agent({ model, limits: { maxCost: 0.05 } })
    await all(agent.send("Go"))
    const outcome = await agent.result
    expect(outcome).toMatchObject({ reason: "limit", steps: 2 })
    expect(outcome.usage).not.toHaveProperty("cost")
  })

  test("and not for the room in its context", async () => {
    const { model, prompts } = await priced(
      main(task()),
      { agent: "general", usage: { input: 95_000, output: 0 }, text: "Done." },
      { agent: "haft", usage, text: "Over." },
    )
    const agent = (await world.open()).agent({ model, contextTokens: 100_000 })
    await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({ text: "Over.", usage: { inputTokens: 115_000 } })
    expect(prompts).toHaveLength(3)
  })
})

test("a summary counts with its price", async () => {
  const { model } = await priced(
    { text: "Read.", usage: { input: 99_000, output: 0 } },
    { text: "THE SUMMARY", usage },
    { text: "After.", usage },
  )
  const agent = (await world.open()).agent({ model, contextTokens: 100_000 })
  await all(agent.send("x".repeat(200_000)))
  await all(agent.send("Go on"))
  expect(await agent.result).toMatchObject({ text: "After.", usage: { cost: cents(6) } })
})

describe("a limit of time", () => {
  const sleeps = { name: "bash", args: { command: "sleep 0.4" } }
  const rules = [{ permission: "bash", action: "allow" } as const]

  test("is for a subagent what is left of it", async () => {
    const { model } = await priced(main(sleeps), main(task()), general(), { agent: "haft", text: "Over." })
    const haft = await world.open({ rules })
    const agent = haft.agent({ model, limits: { maxTimeMs: 60_000, maxSteps: 9 } })
    const child = childOf(await all(agent.send("Go")))
    const [start] = await (await haft.store()).records(child)
    const { limits } = (start as unknown as { readonly input: TurnInput }).input
    expect(limits).toEqual({ maxSteps: 9, maxTimeMs: expect.any(Number) })
    expect(limits!.maxTimeMs).toBeLessThan(59_700)
    expect(limits!.maxTimeMs).toBeGreaterThan(10_000)
  })

  test("leaves nothing when it is over", async () => {
    const { model, prompts } = await priced(main(sleeps, task()), { agent: "general", text: "Done." })
    const agent = (await world.open({ rules })).agent({ model, limits: { maxTimeMs: 300 } })
    const events = await all(agent.send("Go"))
    expect(childEnds(events)).toMatchObject([{ reason: "limit", steps: 0 }])
    expect(await agent.result).toMatchObject({ reason: "limit" })
    expect(prompts).toHaveLength(1)
  })
})

describe("in another process", () => {
  test("what a subagent used is known from its call", async () => {
    const { model } = await priced(main(task(), question), { agent: "general", usage, text: "Done." })
    const first = await world.open()
    const before = first.agent({ model, person: "events", limits: { maxCost: 0.05 } })
    const reading = all(before.send("Go"))
    await waitOf(before)
    const session = await before.session()
    await first.close()
    await reading

    const seen = await priced({ text: "One too many.", usage })
    const { outcomes, hooks } = ended()
    const again = (await world.open({ hooks })).agent({
      ...{ model: seen.model, person: "events", session },
      limits: { maxCost: 0.05 },
    })
    expect(await again.answer(await waitOf(again), [["a"]])).toBe("taken")
    await all(again.rest())
    expect(outcomes).toMatchObject([{ reason: "limit", steps: 1, usage: { cost: cents(6) } }])
    expect(seen.prompts).toHaveLength(0)
  })

  test.each([false, true])("a subagent has the limit that it began with (background: %s)", async (background) => {
    const { model } = await priced(main(task("general", { background })), general(question), {
      agent: "haft",
      text: "Started.",
    })
    const first = await world.open()
    const before = first.agent({ model, person: "events", limits: { maxCost: 0.05 } })
    const reading = all(before.send("Go"))
    await waitOf(before)
    if (background) await reading
    const session = await before.session()
    await first.close()
    await reading

    const seen = await priced({ agent: "general", text: "One too many.", usage }, { agent: "haft", text: "Over." })
    const { events, outcomes, hooks } = ended()
    const again = (await world.open({ hooks })).agent({
      ...{ model: seen.model, person: "events", session },
      limits: { maxCost: 5 },
    })
    expect(await again.answer(await waitOf(again), [["a"]])).toBe("taken")
    await all(again.rest())
    expect(childEnds(events)).toMatchObject([{ reason: "limit", message: "The turn reached its limit of $0.02" }])
    expect(outcomes.at(-1)).toMatchObject({ reason: "done", text: "Over." })
    expect(seen.prompts).toHaveLength(1)
  })
})

test("what a subagent in the background used counts in the turn that reads its report", async () => {
  const { model, prompts } = await priced(
    main(task("general", { background: true })),
    { agent: "haft", usage: { input: 100, output: 0 }, text: "Started." },
    { agent: "general", usage: { input: 20_000, output: 0 }, text: "Done." },
    { agent: "haft", usage, text: "Read." },
  )
  const agent = (await world.open()).agent({ model, limits: { maxCost: 0.07 } })
  await all(agent.send("Go"))
  expect(await agent.result).toMatchObject({ reason: "done", usage: { cost: cents(3.03) } })
  const { outcome } = (await all(agent.rest())).findLast((event) => event.type === "turn-end")!
  expect(outcome).toMatchObject({ reason: "done", text: "Read.", steps: 1, usage: { cost: cents(9) } })
  expect(prompts).toHaveLength(4)
})

/** What a Haft tells its host, and how the turns of the agent ended that talks with the person. */
function ended() {
  const events: SessionEvent[] = []
  const outcomes: TurnOutcome[] = []
  const children = new Set<string>()
  const onEvent = (event: SessionEvent) => {
    events.push(event)
    if (event.type === "child-start") children.add(event.child)
    if (event.type === "turn-end" && !children.has(event.session)) outcomes.push(event.outcome)
  }
  return { events, outcomes, hooks: { onEvent } }
}
