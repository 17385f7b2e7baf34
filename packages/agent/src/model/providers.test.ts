import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOpenAI } from "@ai-sdk/openai"
import type { LanguageModelV3, LanguageModelV3Message } from "@ai-sdk/provider"
import {
  type ProviderApi,
  type ProviderFault,
  type ProviderServer,
  type ScriptedReply,
  startProviderServer,
} from "@haft/testkit"
import { afterEach, describe, expect, test } from "vitest"
import { machineClock } from "./clock.js"
import { ModelError, type ModelFailure } from "./model-error.js"
import { openModel } from "./open-model.js"
import { recordedModel, ScriptRecorder } from "./record-script.js"
import { type ModelReply, type ReplyChunk, replyCalls, replyMessage, replyText } from "./reply.js"
import { type StreamReplyOptions, streamReply } from "./stream-reply.js"

const key = "test-key-0123456789"
const env = {
  ANTHROPIC_API_KEY: key,
  OPENAI_API_KEY: key,
  GEMINI_API_KEY: key,
  OPENAI_COMPATIBLE_API_KEY: key,
}

interface Opened {
  readonly name: string
  readonly api: ProviderApi
  open(baseUrl: string): Promise<LanguageModelV3>
}

const opened: readonly Opened[] = [
  { name: "anthropic", api: "anthropic", open: (baseUrl) => openModel("anthropic:claude-test", { baseUrl, env }) },
  { name: "openai", api: "openai-responses", open: (baseUrl) => openModel("openai:gpt-5-test", { baseUrl, env }) },
  { name: "google", api: "gemini", open: (baseUrl) => openModel("google:gemini-test", { baseUrl, env }) },
  {
    name: "openai-compatible",
    api: "openai-chat",
    open: (baseUrl) => openModel("openai-compatible:local-test", { baseUrl, env }),
  },
  {
    name: "a chat model that the user passes",
    api: "openai-chat",
    open: async (baseURL) => createOpenAI({ apiKey: key, baseURL }).chat("gpt-test"),
  },
]

let server: ProviderServer | undefined
afterEach(() => server?.close())

async function start(api: ProviderApi, replies: readonly ScriptedReply[], more = {}): Promise<string> {
  server = await startProviderServer({ replies, key, ...more })
  return server.baseUrl(api)
}

const tools = ["grep", "read"].map((name) => ({
  type: "function" as const,
  name,
  description: `${name} for tests`,
  inputSchema: { type: "object" as const, properties: { text: { type: "string" as const } }, required: ["text"] },
}))

const question: LanguageModelV3Message = { role: "user", content: [{ type: "text", text: "Where is it?" }] }

function ask(
  model: LanguageModelV3,
  prompt: LanguageModelV3Message[] = [question],
  more: Partial<StreamReplyOptions> = {},
): Promise<ModelReply> {
  const signal = new AbortController().signal
  const system: LanguageModelV3Message = { role: "system", content: "You are a test" }
  return streamReply(
    model,
    { prompt: [system, ...prompt], tools, maxOutputTokens: 1000 },
    { signal, clock: machineClock, ...more },
  )
}

async function failureOf(reply: Promise<unknown>): Promise<ModelFailure> {
  const error = await reply.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ModelError)) throw new Error(`no model error: ${String(error)}`)
  return error.failure
}

describe.each(opened)("$name", ({ name, api, open }) => {
  test("a reply that is cut in the input of its first call broke off, and was not empty", async () => {
    const calls = [{ name: "read", args: { text: "x".repeat(300) } }]
    const model = await open(await start(api, [{ calls, fault: { type: "cut" } }]))
    expect(await failureOf(ask(model))).toMatchObject({
      kind: "network",
      message: expect.stringContaining("broke off before its end"),
    })
  })

  test("streams text, reasoning and parallel calls, and takes results and errors back", async () => {
    const baseUrl = await start(api, [
      {
        reasoning: "The user wants to know where it is",
        text: "I look in two places at once.",
        calls: [
          { name: "grep", args: { text: 'it is "here" ü' } },
          { name: "read", args: { text: "b" } },
        ],
        usage: { input: 11, output: 7, cached: 4 },
      },
      { reasoning: "One failed", calls: [{ name: "read", args: { text: "c" } }] },
      { text: "It is in c." },
    ])
    const model = await open(baseUrl)
    const chunks: ReplyChunk[] = []
    const first = await ask(model, [question], { onChunk: (chunk) => chunks.push(chunk) })
    const calls = replyCalls(first)
    expect(replyText(first)).toBe("I look in two places at once.")
    expect(calls.map((call) => [call.name, JSON.parse(call.input)])).toEqual([
      ["grep", { text: 'it is "here" ü' }],
      ["read", { text: "b" }],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    expect(first).toMatchObject({
      finish: "tool-calls",
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 4 },
    })
    const streamed = (type: ReplyChunk["type"]) =>
      chunks.flatMap((chunk) => (chunk.type === type && "delta" in chunk ? [chunk.delta] : [])).join("")
    expect(streamed("text-delta")).toBe("I look in two places at once.")
    // Chat Completions of OpenAI itself has no reasoning in its stream.
    expect(streamed("reasoning-delta")).toBe(
      model.provider === "openai.chat" ? "" : "The user wants to know where it is",
    )
    expect(chunks.filter(({ type }) => type === "tool-input-start")).toHaveLength(2)

    const results = (reply: ModelReply, error: boolean): LanguageModelV3Message => ({
      role: "tool",
      content: replyCalls(reply).map(({ id, name: toolName }, index) => ({
        type: "tool-result",
        toolCallId: id,
        toolName,
        output: error && index === 1 ? { type: "error-text", value: "not found" } : { type: "text", value: "found" },
      })),
    })
    // Through JSON, as a journal keeps it.
    const kept = JSON.parse(JSON.stringify(first)) as ModelReply
    const history = [question, replyMessage(kept), results(kept, true)]
    const second = await ask(model, history)
    expect(replyCalls(second).map(({ name: tool }) => tool)).toEqual(["read"])
    const last = await ask(model, [...history, replyMessage(second), results(second, false)])
    expect([replyText(last), last.finish]).toEqual(["It is in c.", "stop"])
    expect(server?.refusals).toEqual([])
    const sent = JSON.stringify(server?.requests[1]?.body)
    expect(sent).toContain("not found")
    if (api !== "openai-chat")
      expect(sent).toMatch(/"(signature|encrypted_content|thoughtSignature)":"[A-Za-z0-9+/=]{10,}"/)
  })

  test("takes input that is no JSON and gives it back in a form that the provider accepts", async () => {
    if (api === "gemini") return // Gemini sends arguments as JSON, never as text.
    const broken = { calls: [{ name: "grep", input: '{"text": "unclosed' }] }
    const model = await open(await start(api, [broken, { text: "Sorry." }]))
    const reply = await ask(model)
    const [call] = replyCalls(reply)
    expect(call?.input).toBe('{"text": "unclosed')
    const result: LanguageModelV3Message = {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: call?.id ?? "",
          toolName: "grep",
          output: { type: "error-text", value: "no JSON" },
        },
      ],
    }
    expect(replyText(await ask(model, [question, replyMessage(reply), result]))).toBe("Sorry.")
  })

  // biome-ignore format: one line for each
  test.each<[string, ProviderFault, Partial<ModelFailure>]>([
    ["a clean cut", { type: "cut" }, { kind: "network", retryable: true }],
    ["a reset connection", { type: "reset" }, { kind: "network", retryable: true }],
    ["429 with seconds to wait", { type: "rate-limit", retryAfter: "3" }, { kind: "rate_limited", retryable: true, retryAfterMs: 3000, status: 429 }],
    ["429 without a time", { type: "rate-limit" }, { kind: "rate_limited", retryable: true }],
    ["500", { type: "server-error" }, { kind: "overloaded", retryable: true, status: 500 }],
    ["503", { type: "server-error", status: 503 }, { kind: "overloaded", retryable: true }],
    ["an error inside the stream", { type: "error-event" }, { kind: "overloaded", retryable: true }],
    ["an event that is no JSON", { type: "malformed-event" }, { kind: "bad_response", retryable: true }],
    ["a web page", { type: "html" }, { kind: "bad_response", retryable: false }],
    ["a web page with 404", { type: "html", status: 404 }, { kind: "bad_response", retryable: false }],
    ["an empty stream", { type: "empty" }, { kind: "bad_response", retryable: true }],
    ["a prompt that is too long", { type: "context-length" }, { kind: "context_length", retryable: false }],
  ])("%s is a failure with a next step", async (_fault, fault, expected) => {
    const text = "A reply that is long enough to be cut in its middle, as it would be."
    const model = await open(await start(api, [{ text, fault }]))
    const failure = await failureOf(ask(model))
    expect(failure).toMatchObject(expected)
    expect(failure.hint.length).toBeGreaterThan(10)
    if (fault.type === "rate-limit" && fault.retryAfter === undefined) expect(failure.retryAfterMs).toBeUndefined()
  })

  test("an endless stream ends at the limit and its connection is closed", async () => {
    const model = await open(await start(api, [{ text: "x", fault: { type: "endless" } }]))
    expect(await failureOf(ask(model, [question], { limits: { maxChars: 20_000 } }))).toMatchObject({
      kind: "bad_response",
      retryable: false,
    })
    await expect.poll(() => server?.underWay, { timeout: 2000 }).toBe(0)
  })

  test.each<[string, ProviderFault]>([
    ["before the headers", { type: "slow", headersMs: 60_000 }],
    ["between two events", { type: "slow", eventMs: 60_000 }],
  ])("a provider that is silent %s ends at the deadline, and at once on abort", async (_where, fault) => {
    const model = await open(
      await start(api, [
        { text: "slow text", fault },
        { text: "slow text", fault },
      ]),
    )
    const limits = { firstPartMs: 100, silenceMs: 100 }
    expect(await failureOf(ask(model, [question], { limits }))).toMatchObject({ kind: "network", retryable: true })
    const controller = new AbortController()
    const stopped = failureOf(ask(model, [question], { signal: controller.signal }))
    await expect.poll(() => server?.requests.length).toBe(2)
    const started = performance.now()
    controller.abort()
    expect((await stopped).kind).toBe("cancelled")
    expect(performance.now() - started).toBeLessThan(200)
    await expect.poll(() => server?.underWay, { timeout: 2000 }).toBe(0)
  })

  test("a wrong key, an unknown model and a dead port say what to do and never show the key", async () => {
    const baseUrl = await start(api, [], { key: "another key" })
    const refused = await failureOf(ask(await open(baseUrl)))
    expect(refused.kind).toBe("auth")
    expect(refused.message).not.toContain(name.startsWith("a chat model") ? "sk-" : key)
    const recorder = new ScriptRecorder(join(mkdtempSync(join(tmpdir(), "haft-recorded-")), "a.jsonl"))
    const recorded = await failureOf(ask(recordedModel(await open(baseUrl), recorder)))
    recorder.close()
    expect(recorded.message).toBe(refused.message)
    await server?.close()
    const other = await start(api, [], { models: ["another"] })
    expect(await failureOf(ask(await open(other)))).toMatchObject({ kind: "not_found", status: 404 })
    await server?.close()
    expect(await failureOf(ask(await open(other)))).toMatchObject({ kind: "network", retryable: true })
  })
})
