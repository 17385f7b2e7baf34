import { afterAll, expect, test } from "vitest"
import type { Job } from "./job.js"
import { JobPool } from "./job-pool.js"

const pool = new JobPool()
afterAll(() => pool.close())

const job = (expression: string, signal: AbortSignal = new AbortController().signal): Job => ({
  name: "calculate",
  action: "calculate",
  request: { operation: "evaluate", expression },
  signal,
  timeoutMs: 60_000,
})

/** Work that goes on until it is aborted. */
function hang() {
  const controller = new AbortController()
  const ended = pool.run(job("factorial(1e12)", controller.signal)).catch((error: unknown) => error)
  return { ended, abort: () => controller.abort() }
}

test("work that hangs does not delay other work", async () => {
  const hanging = [hang(), hang(), hang()]
  expect(await pool.run(job("1 + 1"))).toBe(2)
  for (const { abort } of hanging) abort()
  for (const { ended } of hanging) expect(await ended).toMatchObject({ code: "cancelled" })
})

test("work that finds no thread waits for the first that is free, in order", async () => {
  const hanging = [hang(), hang(), hang(), hang()]
  const order: unknown[] = []
  const first = pool.run(job("10")).then((value) => order.push(value))
  const given = new AbortController()
  const second = pool.run(job("20", given.signal)).catch((error: unknown) => error)
  const third = pool.run(job("30")).then((value) => order.push(value))
  given.abort()
  expect(await second).toMatchObject({ code: "cancelled" })
  hanging[2]!.abort()
  await Promise.all([first, third])
  expect(order).toEqual([10, 30])
  for (const { abort } of hanging) abort()
  await Promise.all(hanging.map(({ ended }) => ended))
  expect(await pool.run(job("1 + 2"))).toBe(3)
})

test("a job after close finds a new thread", async () => {
  await pool.close()
  expect(await pool.run(job("2 * 3"))).toBe(6)
})
