import type { TurnOutcome } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Agent } from "../src/index.js"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

const usage = { input: 40, output: 4 }
const options = [
  { label: "a", description: "a" },
  { label: "b", description: "b" },
]
const question = { name: "question", args: { questions: [{ question: "What?", header: "H", options }] } }
const list = { name: "ls", args: {} }
const task = { name: "task", args: { subagent_type: "general", prompt: "Go" } }

/** Aborts the turn when it waits for a person. */
async function abortedAtQuestion(agent: Agent): Promise<TurnOutcome> {
  const reading = all(agent.send("Go", { turnId: "turn_1" }))
  await vi.waitFor(async () => expect(await agent.waits()).toHaveLength(1), { timeout: 10_000 })
  expect(await agent.abort("enough")).toBe(true)
  expect((await reading).at(-1)).toMatchObject({ type: "turn-end", outcome: await agent.result })
  return agent.result
}

/** What another process says of that turn. */
async function saidElsewhere(session: string): Promise<TurnOutcome> {
  const { model } = await world.model()
  const agent = (await world.open()).agent({ model, session })
  await all(agent.send("Go", { turnId: "turn_1" }))
  return agent.result
}

describe("an aborted turn has what was done until then", () => {
  test("what was replied and used, in this process and in another", async () => {
    const { model } = await world.model(
      { text: "I look.", usage, calls: [list] },
      { usage, calls: [list] },
      { text: "I ask.", usage, calls: [question] },
    )
    const haft = await world.open()
    const agent = haft.agent({ model, person: "events" })
    const outcome = await abortedAtQuestion(agent)
    expect(outcome).toMatchObject({ reason: "aborted", message: "enough", text: "I ask.", steps: 3 })
    expect(outcome.usage).toMatchObject({ inputTokens: 120, outputTokens: 12 })
    const session = await agent.session()
    await haft.close()
    expect(await saidElsewhere(session)).toEqual(outcome)
  })

  test("with what its subagents used, also one that was aborted with it", async () => {
    const { model } = await world.model(
      { text: "I start them.", usage, calls: [task, task] },
      { agent: "general", text: "Done.", usage },
      { agent: "general", usage, calls: [question] },
    )
    const haft = await world.open()
    const agent = haft.agent({ model, person: "events" })
    const outcome = await abortedAtQuestion(agent)
    expect(outcome).toMatchObject({ text: "I start them.", steps: 1, usage: { inputTokens: 120 } })
    const session = await agent.session()
    await haft.close()
    expect(await saidElsewhere(session)).toEqual(outcome)
  })

  test("without a journal of the session too", async () => {
    const { model } = await world.model({ text: "I ask.", usage, calls: [question] })
    const agent = (await world.open({ storage: { journal: false } })).agent({ model, person: "events" })
    expect(await abortedAtQuestion(agent)).toMatchObject({ text: "I ask.", steps: 1, usage: { inputTokens: 40 } })
  })

  test("nothing where it never began", async () => {
    const { model } = await world.model({ text: "I ask.", usage, calls: [question] })
    const agent = (await world.open()).agent({ model, person: "events" })
    const first = all(agent.send("One"))
    await vi.waitFor(async () => expect(await agent.waits()).toHaveLength(1), { timeout: 10_000 })
    const second = all(agent.send("Two", { signal: AbortSignal.abort(new Error("not wanted")) }))
    const outcome = { reason: "aborted", message: "not wanted", text: "", steps: 0, usage: { inputTokens: 0 } }
    expect((await second).at(-1)).toMatchObject({ type: "turn-end", outcome })
    await agent.abort()
    await first
  })
})

test("a turn that could not go on has what was done until then", async () => {
  const { model } = await world.model({ text: "I ask.", usage, calls: [question] })
  const first = await world.open()
  const before = first.agent({ model, person: "events" })
  const reading = all(before.send("Go", { turnId: "turn_1" }))
  await vi.waitFor(async () => expect(await before.waits()).toHaveLength(1), { timeout: 10_000 })
  const session = await before.session()
  await first.close()
  await reading

  // A model with no room for what is recorded would have been asked for a summary first.
  const seen = await world.model()
  const haft = await world.open()
  const agent = haft.agent({ model: seen.model, session, contextTokens: 2 })
  await all(agent.send("Go", { turnId: "turn_1" }))
  const outcome = await agent.result
  expect(outcome).toMatchObject({ reason: "failed", text: "I ask.", steps: 1, usage: { inputTokens: 40 } })
  expect(outcome.message).toContain("Cannot go on with turn")
  await haft.close()
  expect(await saidElsewhere(session)).toEqual(outcome)
})

test("a model that fails is asked once: only one that takes no tools is asked again without them", async () => {
  const seen = await world.model({ text: "Unused.", agent: "another" })
  const agent = (await world.open()).agent({ model: seen.model })
  await all(agent.send("Go"))
  expect(await agent.result).toMatchObject({ reason: "model-error" })
  expect(seen.prompts).toHaveLength(1)
})

test("a message whose signal was aborted before it was sent is not answered", async () => {
  const seen = await world.model({ text: "Unused." })
  const agent = (await world.open()).agent({ model: seen.model })
  await all(agent.send("Go", { signal: AbortSignal.abort(new Error("too late")) }))
  expect(await agent.result).toMatchObject({ reason: "aborted", message: "too late", steps: 0, text: "" })
})
