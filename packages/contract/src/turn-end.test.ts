import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { TurnEnd } from "./turn-end.js"

test("a turn ends once, however often its end is scheduled, and can be scheduled again", async () => {
  let ended = 0
  const turn = new TurnEnd(() => {
    ended += 1
    if (ended === 1) turn.schedule()
  })
  for (let count = 0; count < 3; count += 1) turn.schedule()
  expect(ended).toBe(0)
  await nextTurn()
  expect(ended).toBe(1)
  await nextTurn()
  expect(ended).toBe(2)
  await nextTurn()
  expect(ended).toBe(2)
})
