import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import { expect, test, vi } from "vitest"
import { type ModelClock, machineClock } from "./clock.js"
import { ModelError, type ModelFailure } from "./model-error.js"
import { type ModelReply, type ReplyChunk, replyCalls, replyMessage, replyText } from "./reply.js"
import { streamReply } from "./stream-reply.js"

type Part = LanguageModelV3StreamPart

const usage = {
  inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
  outputTokens: { total: 20, text: 15, reasoning: 5 },
}
const stop: Part = { type: "finish", finishReason: { unified: "stop", raw: "end_turn" }, usage }

function modelOf(stream: () => ReadableStream<Part> | Promise<ReadableStream<Part>>, headers = {}): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "fake",
    modelId: "m1",
    supportedUrls: {},
    doStream: async () => ({ stream: await stream(), response: { headers } }),
    doGenerate: () => Promise.reject(new Error("not used")),
  }
}

function streamOf(parts: Iterable<Part>): ReadableStream<Part> {
  const iterator = parts[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

const call = { prompt: [] }

function read(model: LanguageModelV3, more: Partial<Parameters<typeof streamReply>[2]> = {}): Promise<ModelReply> {
  return streamReply(model, call, { signal: new AbortController().signal, clock: machineClock, ...more })
}

async function failureOf(reply: Promise<unknown>): Promise<ModelFailure> {
  const error = await reply.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ModelError)) throw new Error(`no model error: ${String(error)}`)
  return error.failure
}

test("[C2-102] a reply keeps text, reasoning with its signature and calls in their order", async () => {
  const chunks: ReplyChunk[] = []
  const parts: Part[] = [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", modelId: "m1-2026" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Let me " },
    { type: "reasoning-delta", id: "0", delta: "think" },
    { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { anthropic: { signature: "sig==" } } },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "I look" },
    { type: "text-end", id: "1" },
    { type: "tool-input-start", id: "c1", toolName: "grep" },
    { type: "tool-input-delta", id: "c1", delta: '{"pattern":' },
    { type: "tool-input-delta", id: "c1", delta: '"x"}' },
    { type: "tool-call", toolCallId: "c1", toolName: "grep", input: '{"pattern":"x"}' },
    { type: "tool-call", toolCallId: "c1", toolName: "read", input: "{broken" },
    { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_use" }, usage },
  ]
  const reply = await read(
    modelOf(() => streamOf(parts)),
    { onChunk: (chunk) => chunks.push(chunk) },
  )
  expect(reply).toEqual({
    parts: [
      { type: "reasoning", text: "Let me think", providerMetadata: { anthropic: { signature: "sig==" } } },
      { type: "text", text: "I look" },
      { type: "tool-call", id: "c1", name: "grep", input: '{"pattern":"x"}' },
      { type: "tool-call", id: "c1-2", name: "read", input: "{broken" },
    ],
    finish: "tool-calls",
    finishWord: "tool_use",
    usage: { inputTokens: 30, outputTokens: 20, reasoningTokens: 5, cacheReadTokens: 60, cacheWriteTokens: 10 },
    modelId: "m1-2026",
  })
  expect(JSON.parse(JSON.stringify(reply))).toEqual(reply)
  expect(chunks).toEqual([
    { type: "reasoning-delta", delta: "Let me " },
    { type: "reasoning-delta", delta: "think" },
    { type: "text-delta", delta: "I look" },
    { type: "tool-input-start", call: "c1", tool: "grep" },
    { type: "tool-input-delta", call: "c1", delta: '{"pattern":' },
    { type: "tool-input-delta", call: "c1", delta: '"x"}' },
  ])
  expect([replyText(reply), replyCalls(reply).map(({ name }) => name)]).toEqual(["I look", ["grep", "read"]])
  expect(replyMessage(reply)).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Let me think", providerOptions: { anthropic: { signature: "sig==" } } },
      { type: "text", text: "I look" },
      { type: "tool-call", toolCallId: "c1", toolName: "grep", input: { pattern: "x" } },
      { type: "tool-call", toolCallId: "c1-2", toolName: "read", input: { unparsed_input: "{broken" } },
    ],
  })
})

test("encrypted reasoning without text stays, empty text goes, metadata of several pieces is one", async () => {
  const parts: Part[] = [
    {
      type: "reasoning-start",
      id: "r",
      providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: null } },
    },
    { type: "reasoning-end", id: "r", providerMetadata: { openai: { reasoningEncryptedContent: "secret" } } },
    { type: "text-start", id: "t", providerMetadata: { openai: { itemId: "msg_1" } } },
    { type: "text-end", id: "t" },
    { type: "text-start", id: "g" },
    { type: "text-delta", id: "g", delta: "", providerMetadata: { google: { thoughtSignature: "ts" } } },
    stop,
  ]
  const { parts: kept } = await read(modelOf(() => streamOf(parts)))
  expect(kept).toEqual([
    {
      type: "reasoning",
      text: "",
      providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "secret" } },
    },
    { type: "text", text: "", providerMetadata: { google: { thoughtSignature: "ts" } } },
  ])
})

test("an empty reply that the provider ended is a reply", async () => {
  expect((await read(modelOf(() => streamOf([stop])))).parts).toEqual([])
})

const text: Part[] = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "half" },
]
const noReason: Part = { type: "finish", finishReason: { unified: "other", raw: undefined }, usage }

// biome-ignore format: one line for each
test.each<[string, Part[], Record<string, string>, Partial<ModelFailure>]>([
  ["no part at all", [], {}, { kind: "bad_response", retryable: true, message: "fake (m1) gave an empty stream" }],
  ["an end without a reason", [noReason], {}, { kind: "bad_response", retryable: true }],
  ["JSON instead of a stream", [noReason], { "Content-Type": "application/json" }, { kind: "bad_response", retryable: false }],
  ["a web page", [noReason], { "content-type": "text/html; charset=utf-8" }, { kind: "bad_response", retryable: false, message: "fake (m1) answered with a web page instead of a reply" }],
  ["text that broke off", text, {}, { kind: "network", retryable: true, message: "The reply of fake (m1) broke off before its end" }],
  ["text that broke off with an end that says nothing", [...text, noReason], {}, { kind: "network", retryable: true }],
  ["an error in the stream", [...text, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, stop], {}, { kind: "overloaded", retryable: true, message: "fake (m1) failed or is overloaded: Overloaded" }],
])("%s is no reply", async (_name, parts, headers, expected) => {
  expect(await failureOf(read(modelOf(() => streamOf(parts), headers)))).toMatchObject(expected)
})

test("a stream without end stops at the limit of characters, and one of empty pieces at the limit of parts", async () => {
  let cancelled = 0
  const endless = (delta: string) =>
    modelOf(
      () =>
        new ReadableStream<Part>({
          pull: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta }),
          cancel() {
            cancelled += 1
          },
        }),
    )
  const large = await failureOf(read(endless("x".repeat(1000)), { limits: { maxChars: 5000 } }))
  expect(large).toMatchObject({ kind: "bad_response", retryable: false })
  expect(large.message).toBe("The reply of fake (m1) did not end: it has more than 5000 characters")
  expect((await failureOf(read(endless(""), { limits: { maxParts: 50 } }))).message).toContain("more than 50 pieces")
  expect(cancelled).toBe(2)
})

class ManualClock implements ModelClock {
  readonly waits: { ms: number; pass: () => void; live: boolean }[] = []

  after(ms: number, pass: () => void): () => void {
    const wait = { ms, pass, live: true }
    this.waits.push(wait)
    return () => {
      wait.live = false
    }
  }
}

test("silence before the first piece and between two pieces ends the reply", async () => {
  const clock = new ManualClock()
  const limits = { firstPartMs: 60_000, silenceMs: 7000 }
  const never = failureOf(
    read(
      modelOf(() => new Promise(() => {})),
      { clock, limits },
    ),
  )
  await vi.waitFor(() => expect(clock.waits.map(({ ms }) => ms)).toEqual([60_000]))
  clock.waits[0]?.pass()
  expect(await never).toMatchObject({ kind: "network", message: "fake (m1) sent nothing for 60 seconds" })

  const later = new ManualClock()
  const halting = modelOf(
    () =>
      new ReadableStream<Part>({
        start(controller) {
          for (const part of text) controller.enqueue(part)
        },
      }),
  )
  const silent = failureOf(read(halting, { clock: later, limits }))
  await vi.waitFor(() => expect(later.waits.at(-1)).toMatchObject({ ms: 7000, live: true }))
  expect(later.waits.filter(({ live }) => live)).toHaveLength(1)
  later.waits.at(-1)?.pass()
  expect((await silent).message).toBe("fake (m1) sent nothing for 7 seconds")
})

test("an abort ends a model that hangs, before and within its stream, at once", async () => {
  for (const stream of [
    () => new Promise<never>(() => {}),
    () => new ReadableStream<Part>({ pull: () => new Promise(() => {}), cancel: () => new Promise(() => {}) }),
  ]) {
    const controller = new AbortController()
    let asked: AbortSignal | undefined
    const model = modelOf(stream)
    const watched: LanguageModelV3 = {
      ...model,
      doStream: (options) => {
        asked = options.abortSignal
        return model.doStream(options)
      },
    }
    const failure = failureOf(read(watched, { signal: controller.signal }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const started = performance.now()
    controller.abort()
    expect((await failure).kind).toBe("cancelled")
    expect(performance.now() - started).toBeLessThan(200)
    expect(asked?.aborted).toBe(true)
  }
})

test("a time that is over just when a piece has come ends nothing", async () => {
  const clock = new ManualClock()
  let source: ReadableStreamDefaultController<Part> | undefined
  const model = modelOf(
    () =>
      new ReadableStream<Part>({
        start(controller) {
          source = controller
          for (const part of text) controller.enqueue(part)
        },
      }),
  )
  let chunks = 0
  const onChunk = () => {
    chunks += 1
  }
  const reply = read(model, { clock, limits: { silenceMs: 7000 }, onChunk })
  await vi.waitFor(() => expect(clock.waits.at(-1)).toMatchObject({ ms: 7000, live: true }))
  const before = chunks
  source?.enqueue({ type: "text-delta", id: "0", delta: " and more" })
  // Within one turn of the event loop: the timer of the new silence is not set yet.
  for (let tick = 0; tick < 50 && chunks === before; tick += 1) await Promise.resolve()
  expect(chunks).toBe(before + 1)
  clock.waits.at(-1)?.pass()
  source?.enqueue(stop)
  source?.close()
  expect(replyText(await reply)).toContain(" and more")
})

test("a provider that answers after the abort is told of it, and nothing of its reply is shown", async () => {
  const controller = new AbortController()
  const answer: { give?: (stream: ReadableStream<Part>) => void } = {}
  const model = modelOf(
    () =>
      new Promise((resolve) => {
        answer.give = resolve
      }),
  )
  let asked: Parameters<LanguageModelV3["doStream"]>[0] | undefined
  const late: LanguageModelV3 = {
    ...model,
    doStream: (options) => {
      asked = options
      return model.doStream(options)
    },
  }
  const chunks: ReplyChunk[] = []
  const failure = failureOf(read(late, { signal: controller.signal, onChunk: (chunk) => chunks.push(chunk) }))
  await vi.waitFor(() => expect(answer.give).toBeDefined())
  controller.abort()
  expect((await failure).kind).toBe("cancelled")
  expect(asked?.abortSignal?.aborted).toBe(true)
  const cancel = vi.fn()
  answer.give?.(
    new ReadableStream<Part>({
      pull: (source) => source.enqueue({ type: "text-delta", id: "0", delta: "late" }),
      cancel,
    }),
  )
  await vi.waitFor(() => expect(cancel).toHaveBeenCalled())
  expect(chunks).toEqual([])
})

test("a signal that is aborted already asks nobody", async () => {
  const doStream = vi.fn()
  const model = { ...modelOf(() => streamOf([])), doStream }
  expect((await failureOf(read(model, { signal: AbortSignal.abort() }))).kind).toBe("cancelled")
  expect(doStream).not.toHaveBeenCalled()
})
