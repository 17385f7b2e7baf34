import { expect, test } from "vitest"
import { turnGate } from "./call-signal.js"

test("of a thousand calls at once all begin in order, and other work gets its turns in between", async () => {
  const order: number[] = []
  let turns = 0
  const count = () => {
    turns += 1
    if (order.length < 1000) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const wait = turnGate()
      if (wait) await wait
      order.push(index)
    }),
  )
  expect(order).toEqual(Array.from({ length: 1000 }, (_, index) => index))
  expect(turns).toBeGreaterThan(10)
})
