import { expect, test } from "vitest"
import { MessageAllowance } from "./message-allowance.js"

test("a burst passes, the next message does not, and time gives some back but never more than a burst", () => {
  let now = 5000
  const allowance = new MessageAllowance({ burst: 3, perSecond: 2 }, () => now)
  const taken = (count: number) => Array.from({ length: count }, () => allowance.take())
  expect(taken(4)).toEqual([true, true, true, false])
  now += 1500
  expect(taken(3)).toEqual([true, true, false])
  now += 3_600_000
  expect(taken(4)).toEqual([true, true, true, false])
})
