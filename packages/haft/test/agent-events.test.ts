import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
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
  return new Proxy(model, {
    get(target, key) {
      if (key !== "doStream" || !isFirst) return Reflect.get(target, key)
      isFirst = false
      return async () => ({ stream: stream() })
    },
  })
}
