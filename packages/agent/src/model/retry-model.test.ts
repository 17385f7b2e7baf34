import { type ProviderFault, type ScriptedReply, startProviderServer } from "@haft/testkit"
import { expect, test } from "vitest"
import type { ModelClock } from "./clock.js"
import { ModelError } from "./model-error.js"
import { openModel } from "./open-model.js"
import { replyText } from "./reply.js"
import { type ReplyRetry, type RetryOptions, retryReply } from "./retry-model.js"

/** Waits of the schedule pass at once and are noted; deadlines never pass. */
class NotedClock implements ModelClock {
  after(ms: number, pass: () => void): () => void {
    if (ms >= 90_000) return () => {}
    const timer = setTimeout(pass, 0)
    return () => clearTimeout(timer)
  }
}

async function run(replies: readonly ScriptedReply[], options: Partial<RetryOptions> = {}) {
  const server = await startProviderServer({ replies })
  const waits: ReplyRetry[] = []
  try {
    const model = await openModel("anthropic:m", {
      baseUrl: server.baseUrl("anthropic"),
      env: { ANTHROPIC_API_KEY: "k" },
    })
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }]
    const outcome = await retryReply(
      model,
      { prompt, maxOutputTokens: 9 },
      {
        signal: new AbortController().signal,
        clock: new NotedClock(),
        random: () => 0.5,
        onRetry: (retry) => waits.push(retry),
        ...options,
      },
    ).then(
      (reply) => replyText(reply),
      (error: unknown) => {
        if (error instanceof ModelError) return error.failure
        throw error
      },
    )
    return {
      outcome,
      waits: waits.map(({ attempt, delayMs }) => [attempt, delayMs]),
      asked: server.requests.length,
    }
  } finally {
    await server.close()
  }
}

const limited: ScriptedReply = { fault: { type: "rate-limit" } }
const down: ScriptedReply = { fault: { type: "server-error" } }
const text = "A text that is long enough to be cut in the middle of it."

test("delays double, vary with the random and are told before the wait", async () => {
  const { outcome, waits, asked } = await run([down, limited, down, down, { text: "here" }])
  // 500, 1000, 2000, 4000 times 0.75.
  expect(waits).toEqual([
    [2, 375],
    [3, 750],
    [4, 1500],
    [5, 3000],
  ])
  expect([outcome, asked]).toEqual(["here", 5])
  const lowest = await run([down, { text: "here" }], { random: () => 0 })
  expect(lowest.waits).toEqual([[2, 250]])
})

test("the wait is never shorter than the provider asks, and a wait that is too long is the end", async () => {
  const wait = (retryAfter: string): ScriptedReply => ({ fault: { type: "rate-limit", retryAfter } })
  expect((await run([wait("7"), { text: "here" }])).waits).toEqual([[2, 7000]])
  const long = await run([wait("3600"), { text: "here" }])
  expect([long.asked, long.waits]).toEqual([1, []])
  expect(long.outcome).toMatchObject({
    kind: "rate_limited",
    retryAfterMs: 3_600_000,
    retryable: false,
    message: expect.stringContaining("(it asks to wait 3600 seconds)"),
  })
})

test("tries end at their number with a clear end", async () => {
  const { outcome, asked } = await run([down, down, down], { maxTries: 3 })
  expect(asked).toBe(3)
  expect(outcome).toMatchObject({
    kind: "overloaded",
    retryable: false,
    message: expect.stringMatching(/\(gave up after 3 tries\)$/),
  })
})

test.each<[ProviderFault]>([[{ type: "context-length" }], [{ type: "html" }]])(
  "%j is not tried again",
  async (fault) => {
    expect((await run([{ fault }, { text: "here" }])).asked).toBe(1)
  },
)

test("a reply that broke off is tried again, and those who watch are told before that its pieces are void", async () => {
  const cut: ScriptedReply = { text, fault: { type: "cut" } }
  const shown: string[] = []
  const { outcome, asked } = await run([cut, { text }], {
    onChunk: (chunk) => void ("delta" in chunk && shown.push(chunk.delta)),
    onRetry: ({ wasShown }) => void (wasShown && shown.push("|")),
  })
  expect([outcome, asked]).toEqual([text, 2])
  const [dead = "", whole] = shown.join("").split("|")
  expect(dead.length).toBeGreaterThan(0)
  expect(text.startsWith(dead) && dead !== text).toBe(true)
  expect(whole).toBe(text)
  const silent: boolean[] = []
  await run([down, { text }], { onRetry: ({ wasShown }) => void silent.push(wasShown) })
  expect(silent).toEqual([false])
})

test("an abort during the wait ends it", async () => {
  const controller = new AbortController()
  const never: ModelClock = { after: () => () => {} }
  const { outcome, asked } = await run([down, { text: "here" }], {
    clock: never,
    signal: controller.signal,
    onRetry: () => setTimeout(() => controller.abort(), 5),
  })
  expect([outcome, asked]).toEqual([expect.objectContaining({ kind: "cancelled" }), 1])
})
