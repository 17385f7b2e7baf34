import { expect, test } from "vitest"
import { RateLimiter } from "./rate-limiter.js"

test("a burst passes, the next message does not, and time gives some back but never more than a burst", () => {
  let now = 5000
  const rate = new RateLimiter({ burst: 3, perSecond: 2 }, () => now)
  const taken = (count: number) => Array.from({ length: count }, () => rate.take())
  expect(taken(4)).toEqual([true, true, true, false])
  now += 1500
  expect(taken(3)).toEqual([true, true, false])
  now += 3_600_000
  expect(taken(4)).toEqual([true, true, true, false])
})
