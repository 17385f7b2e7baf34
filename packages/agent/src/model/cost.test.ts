import { calcPrice, findProvider } from "@pydantic/genai-prices"
import fc from "fast-check"
import { expect, test } from "vitest"
import { contextTokensOf, priceUsage } from "./cost.js"
import { priceTable } from "./generated/prices.js"

const at = Date.parse("2026-11-16T12:00:00Z")
const usage = {
  inputTokens: 1000,
  outputTokens: 200,
  reasoningTokens: 50,
  cacheReadTokens: 4000,
  cacheWriteTokens: 500,
}

test("a reply costs what its tokens cost, cached ones apart", async () => {
  const model = { provider: "anthropic.messages", modelId: "claude-opus-4-6" }
  // 5, 25, 0.5 and 6.25 dollars for a million.
  const cost = (1000 * 5 + 200 * 25 + 4000 * 0.5 + 500 * 6.25) / 1_000_000
  const priced = await priceUsage(usage, model, { at })
  expect(priced).toEqual({ ...usage, cost: expect.closeTo(cost, 12) })
  expect(await contextTokensOf(model)).toBe(1_000_000)
})

test("prices follow the day, and long prompts have the price of their step", async () => {
  const model = { provider: "anthropic.messages", modelId: "claude-opus-4-6" }
  const long = { ...usage, inputTokens: 200_000 }
  const before = Date.parse("2026-03-01T00:00:00Z")
  const doubled = (200_000 * 10 + 200 * 37.5 + 4000 * 1 + 500 * 12.5) / 1_000_000
  expect((await priceUsage(long, model, { at: before })).cost).toBeCloseTo(doubled, 12)
  const now = (200_000 * 5 + 200 * 25 + 4000 * 0.5 + 500 * 6.25) / 1_000_000
  expect((await priceUsage(long, model, { at })).cost).toBeCloseTo(now, 12)
})

// biome-ignore format: one line for each
test.each([
  ["a model nobody knows", { provider: "openai.responses", modelId: "no-such-model" }, usage],
  ["a local model", { provider: "ollama.chat", modelId: "gpt-4o" }, usage],
  ["a script", { provider: "script", modelId: "run.jsonl" }, usage],
  ["a reply whose tokens nobody counted", { provider: "openai.responses", modelId: "gpt-4o" }, { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }],
])("%s has no cost, not a cost of zero", async (_name, model, tokens) => {
  expect(await priceUsage(tokens, model, { at })).toEqual(tokens)
})

test("the user's own price wins, by provider and name or by name", async () => {
  const prices = { "ollama:m": { input: 1, output: 2 }, "gpt-4o": { input: 0, output: 0 } }
  const local = await priceUsage(usage, { provider: "ollama.chat", modelId: "m" }, { at, prices })
  expect(local.cost).toBeCloseTo((5500 * 1 + 200 * 2) / 1_000_000, 12)
  expect((await priceUsage(usage, { provider: "openai.chat", modelId: "gpt-4o" }, { at, prices })).cost).toBe(0)
})

test("every price is that of its source", async () => {
  const names = ["anthropic", "openai", "google"].flatMap((provider) =>
    (findProvider({ providerId: provider })?.models ?? []).map(({ id }) => ({ provider, modelId: id })),
  )
  let priced = 0
  const tokens = fc.integer({ min: 0, max: 400_000 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.tuple(tokens, tokens, tokens, tokens),
      fc.date({ min: new Date("2024-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
      async (model, [input, output, read, written], day) => {
        const counted = {
          inputTokens: input,
          outputTokens: output,
          reasoningTokens: 0,
          cacheReadTokens: read,
          cacheWriteTokens: written,
        }
        const { cost } = await priceUsage(counted, model, { at: day.getTime() })
        if (cost === undefined) return
        const expected = calcPrice(
          {
            input_tokens: input + read + written,
            output_tokens: output,
            cache_read_tokens: read,
            cache_write_tokens: written,
          },
          model.modelId,
          { providerId: model.provider, timestamp: day },
        )
        expect(cost).toBeCloseTo(expected?.total_price ?? Number.NaN, 8)
        priced += 1
      },
    ),
    { numRuns: 1500, seed: 12 },
  )
  expect(priced).toBeGreaterThan(900)
  expect([priceTable.source, priceTable.date]).toEqual(["@pydantic/genai-prices 0.1.8", "2026-09-23"])
})
