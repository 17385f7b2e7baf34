import { expect, test } from "vitest"
import { cacheKey } from "./prompt-cache.js"

test("the key of the cache is no longer than OpenAI takes, and differs by session", () => {
  expect(cacheKey("ses_1")).toEqual({ openai: { promptCacheKey: "ses_1" } })
  const [one, other] = ["a", "b"].map((end) => String(cacheKey(`${"x".repeat(200)}${end}`).openai?.promptCacheKey))
  expect([one!.length, other!.length, one === other]).toEqual([64, 64, false])
})
