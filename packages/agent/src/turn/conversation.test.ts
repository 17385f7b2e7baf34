import fc from "fast-check"
import { expect, test } from "vitest"
import { Conversation, type Entry, type Marker, type TurnReply } from "./conversation.js"

type Act =
  | { readonly do: "add"; readonly entry: Entry }
  | { readonly do: "mark"; readonly marker: Marker }
  | { readonly do: "prompt"; readonly prompt: string }
  | { readonly do: "ask" }

const usage = { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }

function replyOf(id: string, calls: number): TurnReply {
  const names = Array.from({ length: calls }, (_, index) => `${id}.${index}`)
  const parts = names.map((name) => ({ type: "tool-call" as const, id: name, name: "read", input: "{}" }))
  return {
    reply: { parts: [{ type: "text", text: id }, ...parts], finish: "stop", usage } as TurnReply["reply"],
    calls: names.map((name) => ({
      ...{ id: name, providerId: name, wireName: "read", name: "read", input: "{}", readOnly: true },
    })),
  }
}

/** What one round of a conversation does; some rounds end before their results, as an aborted turn does. */
function roundOf(index: number, calls: number, hasResults: boolean): readonly Act[] {
  const id = `r${index}`
  const results = Array.from({ length: calls }, (_, at) => ({ call: `${id}.${at}`, text: `${at}`, isError: at === 1 }))
  return [
    { do: "add", entry: { role: "user", id: `u${index}`, input: { text: `${index}` } } },
    { do: "add", entry: { role: "reply", id, reply: replyOf(id, calls) } },
    ...(hasResults && calls > 0
      ? [{ do: "add" as const, entry: { role: "results" as const, id: `${id}/results`, results } }]
      : []),
  ]
}

function played(acts: readonly Act[]): Conversation {
  const conversation = new Conversation()
  for (const act of acts) {
    if (act.do === "add") conversation.add(act.entry)
    if (act.do === "mark") conversation.mark(act.marker)
    if (act.do === "prompt") conversation.prompt = act.prompt
    if (act.do === "ask") conversation.messages()
  }
  return conversation
}

const acts = fc
  .array(
    fc.record({
      ...{ calls: fc.nat(2), hasResults: fc.boolean(), asks: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }) },
      more: fc.constantFrom("nothing", "mark", "prune", "prompt"),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rounds) =>
    rounds.flatMap(({ calls, hasResults, asks, more }, index): Act[] => {
      const own = roundOf(index, calls, hasResults).flatMap((act, at): Act[] =>
        asks[at] ? [act, { do: "ask" }] : [act],
      )
      const marker =
        more === "mark" ? { summary: `s${index}`, tail: `u${index}`, pruned: [] } : { pruned: [`r${index}.0`] }
      if (more === "nothing") return own
      return [...own, more === "prompt" ? { do: "prompt", prompt: `p${index}` } : { do: "mark", marker }]
    }),
  )

test("the messages of a request are the same whether or not others were asked for before", () => {
  fc.assert(
    fc.property(acts, (given) => {
      const fresh = played(given.filter((act) => act.do !== "ask"))
      expect(played(given).messages()).toEqual(fresh.messages())
    }),
  )
})

test("images have the names of types that providers take, and text files stay in a summary", () => {
  const conversation = new Conversation()
  const files = ["text/plain", "image/png"].map((mediaType) => ({ name: "a", mediaType, data: "eA==" }))
  conversation.add({ role: "user", id: "turn_1", input: { text: "Look", files } })
  const call = { id: "call_1", providerId: "1", wireName: "x", name: "x", input: "{}", readOnly: false }
  const reply = { parts: [{ type: "tool-call", id: "1", name: "x", input: "{}" }], finish: "tool-calls" } as never
  conversation.add({ role: "reply", id: "r", reply: { reply, calls: [call] } })
  const types = ["image/jpg", "IMAGE/PNG", "image/gif; a=b", "image/svg+xml"]
  const images = types.map((mediaType) => ({ type: "image" as const, mediaType, data: "eA==" }))
  conversation.add({ role: "results", id: "s", results: [{ call: "call_1", text: "drawn", isError: false, images }] })
  const [, , results] = conversation.messages() as unknown as readonly { content: readonly Result[] }[]
  expect(results!.content[0]!.output.value.map(({ mediaType, text }) => mediaType ?? text)).toEqual([
    ...["drawn", "image/jpeg", "image/png", "image/gif"],
    "[image/svg+xml, not shown: the model does not take it]",
  ])
  const [asked] = conversation.wordsOf(1)
  expect(asked?.content).toMatchObject([
    { type: "text", text: "Look\n[a (image/png), not shown: the model does not take it]" },
    { type: "file", mediaType: "text/plain" },
  ])
})

interface Result {
  readonly output: { readonly value: readonly { readonly mediaType?: string; readonly text?: string }[] }
}
