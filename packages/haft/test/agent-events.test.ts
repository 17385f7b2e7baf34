import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

describe("a call has one id from the first piece of its arguments on", () => {
  const reads = (id: string, path: string) => ({ id, toolName: "read", input: JSON.stringify({ file_path: path }) })
  const start = ({ id, toolName, input }: ReturnType<typeof reads>): LanguageModelV3StreamPart[] => [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
  ]
  const call = ({ id, toolName, input }: ReturnType<typeof reads>): LanguageModelV3StreamPart[] => [
    { type: "tool-call", toolCallId: id, toolName, input },
  ]
  const whole = (one: ReturnType<typeof reads>) => [...start(one), ...call(one)]

  test.each([
    ["are empty", [...whole(reads("", "a.txt")), ...whole(reads("", "b.txt"))]],
    ["are repeated", [...whole(reads("x", "a.txt")), ...whole(reads("x", "b.txt"))]],
    [
      "are empty and all calls begin before the first is whole",
      [
        ...start(reads("", "a.txt")),
        ...start(reads("", "b.txt")),
        ...call(reads("", "a.txt")),
        ...call(reads("", "b.txt")),
      ],
    ],
  ])("also where those of the provider %s", async (_, parts) => {
    const { model } = await world.model({ text: "Read." })
    const agent = (await world.open()).agent({ model: firstReplying(model, parts) })
    const events = await all(agent.send("Go"))
    const written = new Map<string, string>()
    for (const event of events) {
      if (event.type === "tool-input-start") written.set(event.call, "")
      if (event.type === "tool-input-delta") written.set(event.call, `${written.get(event.call)}${event.delta}`)
    }
    const calls = events.flatMap((event) => (event.type === "tool-call" ? [event] : []))
    expect(calls).toHaveLength(2)
    expect([...written]).toEqual(calls.map((each) => [each.call, JSON.stringify(each.arguments)]))
  })
})

describe("events come in the order in which a reader expects them", () => {
  const task = (more: object = {}) => ({
    calls: [{ name: "task", args: { subagent_type: "general", prompt: "Go", ...more } }],
  })

  test("a turn ends before the next one begins", async () => {
    const { model } = await world.model({ text: "One." }, { text: "Two." }, { text: "Three." })
    const { events, hooks } = heard()
    const agent = (await world.open({ hooks })).agent({ model })
    await Promise.all(["1", "2", "3"].map((message) => all(agent.send(message))))
    expect(bounds(events)).toEqual(["turn-start", "turn-end", "turn-start", "turn-end", "turn-start", "turn-end"])
  })

  test("a turn that failed ends before the next one begins", async () => {
    const { model } = await world.model({ text: "Two." })
    const { events, hooks } = heard()
    const haft = await world.open({ hooks })
    const agent = haft.agent({ model })
    await agent.session()
    const store = await haft.store()
    const look = vi.spyOn(store, "calls").mockRejectedValueOnce(new Error("the disk does not answer"))
    await Promise.all(["1", "2"].map((message) => all(agent.send(message))))
    expect(look).toHaveBeenCalled()
    expect(bounds(events)).toEqual(["turn-start", "turn-end", "turn-start", "turn-end"])
    expect(await agent.result).toMatchObject({ text: "Two." })
  })

  test.each([false, true])(
    "a subagent begins before its turn and ends behind it (background: %s)",
    async (background) => {
      const { model } = await world.model(
        { agent: "haft", ...task({ background }) },
        { agent: "general", text: "It is done." },
        { agent: "haft", text: "Over." },
        { agent: "haft", text: "Read." },
      )
      const { events, hooks } = heard()
      const agent = (await world.open({ hooks })).agent({ model })
      await all(agent.send("Go"))
      await all(agent.rest())
      const [child] = childrenOf(events)
      const own = bounds(events.filter((event) => event.session === child || "child" in event))
      expect(own).toEqual(["child-start", "turn-start", "turn-end", "child-end"])
    },
  )

  test("a subagent in the background that the next process goes on with begins there too", async () => {
    const { model } = await world.model(
      { agent: "haft", ...task({ background: true }) },
      { agent: "general", calls: [{ name: "write", args: { file_path: "b.txt", content: "x" } }] },
      { agent: "haft", text: "Started." },
    )
    const first = await world.open()
    const before = first.agent({ model, person: "events" })
    await all(before.send("Go"))
    await vi.waitFor(async () => expect(await before.waits()).toHaveLength(1), { timeout: 10_000 })
    const session = await before.session()
    await first.close()

    const seen = await world.model({ agent: "general", text: "Written." }, { agent: "haft", text: "Read." })
    const { events, hooks } = heard()
    const again = (await world.open({ hooks })).agent({ model: seen.model, person: "events", session })
    await again.session()
    await vi.waitFor(async () => expect(await again.waits()).toHaveLength(1), { timeout: 10_000 })
    await again.answer((await again.waits())[0]!.name, { answer: "once" })
    await all(again.rest())
    expect(bounds(events)).toEqual([
      ...["child-start", "turn-start", "turn-end", "child-end"],
      ...["turn-start", "turn-end"],
    ])
    expect(events.find(({ type }) => type === "child-start")).toMatchObject({ session, agent: "general" })
  })
})

/** What a Haft tells its host. */
function heard(): { readonly events: SessionEvent[]; readonly hooks: { onEvent(event: SessionEvent): void } } {
  const events: SessionEvent[] = []
  return { events, hooks: { onEvent: (event) => void events.push(event) } }
}

/** The beginnings and ends of turns and subagents. */
function bounds(events: readonly SessionEvent[]): readonly string[] {
  return events.map(({ type }) => type).filter((type) => /^(turn|child)-/.test(type))
}

function childrenOf(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "child-start" ? [event.child] : []))
}

/** The model, with a first reply of these parts. */
function firstReplying<Model extends LanguageModelV3>(
  model: Model,
  parts: readonly LanguageModelV3StreamPart[],
): Model {
  let isFirst = true
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }
  const usage = { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } }
  const finishReason = { unified: "tool-calls", raw: "tool_use" } as const
  const stream = () =>
    new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.enqueue({ type: "finish", finishReason, usage })
        controller.close()
      },
    })
  const doStream: LanguageModelV3["doStream"] = async (call) => {
    if (!isFirst) return model.doStream(call)
    isFirst = false
    return { stream: stream() }
  }
  return new Proxy(model, { get: (target, key) => (key === "doStream" ? doStream : Reflect.get(target, key)) })
}
