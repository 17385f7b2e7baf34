import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { startDeadline } from "./call-signal.js"

test("a deadline passes once, not before its time", async () => {
  const started = performance.now()
  const passed = await new Promise<number>((resolve) => startDeadline(20, () => resolve(performance.now())))
  expect(passed - started).toBeGreaterThanOrEqual(19)
})

test("a cleared deadline never passes, cleared in its first turn or later", async () => {
  let passed = 0
  const count = () => {
    passed += 1
  }
  startDeadline(1, count).clear()
  const later = startDeadline(5, count)
  await nextTurn()
  later.clear()
  await sleep(30)
  expect(passed).toBe(0)
})

test("many deadlines of one turn all pass", async () => {
  const all = Array.from({ length: 100 }, () => new Promise<void>((resolve) => startDeadline(1, resolve)))
  await expect(Promise.all(all)).resolves.toHaveLength(100)
})
