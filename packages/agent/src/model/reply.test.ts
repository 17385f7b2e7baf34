import type { LanguageModelV3StreamPart } from "@ai-sdk/provider"
import fc from "fast-check"
import { expect, test } from "vitest"
import { ReplyBuilder, replyCalls } from "./reply.js"

const begins = (id: string): LanguageModelV3StreamPart => ({ type: "tool-input-start", id, toolName: "read" })
const goesOn = (id: string): LanguageModelV3StreamPart => ({ type: "tool-input-delta", id, delta: "{}" })
const isWhole = (id: string): LanguageModelV3StreamPart => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "read",
  input: "{}",
})

/** The ids of the pieces that watchers see, and of the calls. */
function idsOf(parts: readonly LanguageModelV3StreamPart[]) {
  const builder = new ReplyBuilder()
  const pieces = parts.flatMap((part) => {
    const chunk = builder.add(part)
    return chunk && "call" in chunk ? [chunk.call] : []
  })
  return { pieces, calls: replyCalls(builder.build()).map(({ id }) => id) }
}

test("calls whose provider repeats ids or leaves them out have ids of their own, from their first piece on", () => {
  const given = fc.constantFrom("", "a", "a-2", "a-2-2", "call", "call-2", "b")
  fc.assert(
    fc.property(fc.array(given, { maxLength: 12 }), fc.boolean(), (ids, streams) => {
      const parts = ids.flatMap((id) => (streams ? [begins(id), goesOn(id), isWhole(id)] : [isWhole(id)]))
      const { pieces, calls } = idsOf(parts)
      expect(new Set(calls).size).toBe(ids.length)
      expect(calls).not.toContain("")
      expect(pieces).toEqual(streams ? calls.flatMap((id) => [id, id]) : [])
      ids.forEach((id, at) => {
        if (id !== "" && !calls.slice(0, at).includes(id)) expect(calls[at]).toBe(id)
      })
    }),
  )
})

test("calls that stream in beside each other under one id keep apart", () => {
  const parts = [begins("a"), begins("a"), begins("b"), goesOn("a"), goesOn("b"), isWhole("a"), goesOn("a")]
  expect(idsOf([...parts, isWhole("b"), isWhole("a")])).toEqual({
    pieces: ["a", "a-2", "b", "a-2", "b", "a-2"],
    calls: ["a", "b", "a-2"],
  })
})

test("a call that the provider runs itself takes no id from another", () => {
  const own = { ...isWhole("a"), providerExecuted: true } as LanguageModelV3StreamPart
  expect(idsOf([own, isWhole("a"), isWhole("a")]).calls).toEqual(["a", "a-2"])
})
