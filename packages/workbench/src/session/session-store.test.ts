import type { EventBody, SessionEvent } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { SessionStore } from "./session-store.js"

const usage = { inputTokens: 1, outputTokens: 2, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
const metadata = { duration_ms: 1, call_id: "call_1", session_id: "s" }

function storeOf(...bodies: readonly EventBody[]): SessionStore {
  const store = new SessionStore("s")
  for (const [index, body] of bodies.entries())
    store.apply({ ...body, session: "s", seq: index + 1, at: index } as SessionEvent)
  return store
}

describe("a session from its events", () => {
  test("a whole reply takes the place of its pieces", () => {
    const store = storeOf(
      { type: "turn-start", turn: "t", text: "hello" },
      { type: "text-delta", turn: "t", step: 1, delta: "Hel" },
      { type: "text-delta", turn: "t", step: 1, delta: "lo th" },
      { type: "reply", turn: "t", step: 1, text: "Hello there", usage },
    )
    expect(store.entries.map((entry) => ("text" in entry ? entry.text : entry.kind))).toEqual(["hello", "Hello there"])
    expect(store.turn).toBe("t")
    expect(store.usage).toEqual(usage)
  })

  test("what a reply had shown that is begun again is gone, its calls too", () => {
    const store = storeOf(
      { type: "turn-start", turn: "t", text: "hello" },
      { type: "reasoning-delta", turn: "t", step: 1, delta: "Hm" },
      { type: "text-delta", turn: "t", step: 1, delta: "Hel" },
      { type: "tool-input-start", turn: "t", step: 1, call: "call_1", tool: "grep" },
      { type: "reply-restart", turn: "t", step: 1 },
      { type: "text-delta", turn: "t", step: 1, delta: "Well" },
      { type: "tool-input-start", turn: "t", step: 1, call: "call_2", tool: "grep" },
    )
    expect(store.entries.map(({ key }) => key)).toEqual(["turn:t", "text:t:1", "call:call_2"])
    expect(store.entries[1]).toMatchObject({ text: "Well" })
    expect([...store.calls.keys()]).toEqual(["call_2"])
  })

  test("a call that a reply did not write to its end does not wait for ever", () => {
    const outcome = { reason: "model-error", text: "", steps: 0, usage } as const
    const store = storeOf(
      { type: "turn-start", turn: "t", text: "hello" },
      { type: "tool-input-start", turn: "t", step: 1, call: "call_1", tool: "grep" },
      { type: "turn-end", turn: "t", outcome },
    )
    expect(store.entries.map(({ key }) => key)).toEqual(["turn:t", "end:t"])
    expect(store.calls.size).toBe(0)
  })

  test("the row in which arguments stream in becomes the row of the call", () => {
    const store = storeOf(
      { type: "tool-input-start", turn: "t", step: 1, call: "call_1", tool: "grep" },
      { type: "tool-input-delta", turn: "t", call: "call_1", delta: '{"pat' },
      { type: "tool-call", call: "call_1", tool: "grep", arguments: { pattern: "x" } },
      { type: "tool-start", call: "call_1", tool: "grep" },
      { type: "tool-end", call: "call_1", tool: "grep", envelope: { type: "output", data: 7, metadata } },
    )
    expect(store.entries).toEqual([{ kind: "call", key: "call:call_1", call: "call_1" }])
    expect(store.callList()).toHaveLength(1)
    expect(store.calls.get("call_1")).toMatchObject({ phase: "ok", data: 7, arguments: { pattern: "x" }, endedAt: 4 })
  })

  test("an answered ask is gone, and a refusal is denied", () => {
    const request = { tool: "write", arguments: { a: 1 } } as never
    const store = storeOf(
      { type: "tool-call", call: "call_1", tool: "write", arguments: {} },
      { type: "ask", call: "call_1", request },
      { type: "answer", call: "call_1", answer: "reject" },
      {
        type: "tool-end",
        call: "call_1",
        tool: "write",
        envelope: { type: "error", error_text: "no", metadata: { ...metadata, error_code: "denied" } },
      },
    )
    expect(store.calls.get("call_1")).toMatchObject({ phase: "denied", error: { type: "denied", message: "no" } })
    expect(store.calls.get("call_1")).not.toHaveProperty("request")
  })

  test("old calls keep their row and lose their data, and output keeps its end", () => {
    const store = new SessionStore("s")
    for (let index = 0; index < 450; index++) {
      const event = { session: "s", seq: index, at: index, call: `call_${index}`, tool: "read" }
      const content = "c".repeat(100_000)
      store.apply({ ...event, type: "tool-call", arguments: { file_path: "a.ts", content, lines: [content] } })
      store.apply({ ...event, type: "tool-end", envelope: { type: "output", data: "d", metadata } })
    }
    expect(store.calls.size).toBe(450)
    expect(store.calls.get("call_0")).not.toHaveProperty("data")
    expect(store.calls.get("call_0")!.arguments).toEqual({ file_path: "a.ts", content: "c".repeat(200) })
    expect(store.calls.get("call_449")).toHaveProperty("data")
    const live = storeOf(
      { type: "tool-output-delta", call: "c", delta: "a".repeat(150_000) },
      { type: "tool-output-delta", call: "c", delta: `${"b".repeat(100_000)}end` },
    )
    expect(live.calls.get("c")!.output).toHaveLength(200_000)
    expect(live.calls.get("c")!.output!.endsWith("end")).toBe(true)
  })
})
