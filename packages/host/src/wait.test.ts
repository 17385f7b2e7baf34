import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import { cancelled, pause, unlessAborted, within } from "./wait.js"

const never = new Promise<never>(() => undefined)

test("a pause takes its time, and an abort ends it as a cancelled call", async () => {
  const start = performance.now()
  await pause(30)
  expect(performance.now() - start).toBeGreaterThanOrEqual(29)
  await expect(pause(60_000, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" })
  const ending = new AbortController()
  const paused = pause(60_000, { signal: ending.signal })
  setTimeout(() => ending.abort(), 5)
  await expect(paused).rejects.toMatchObject({ code: "cancelled" })
})

test("a wait within a time ends with the work or with the time", async () => {
  const start = performance.now()
  await within(60_000, Promise.resolve())
  expect(performance.now() - start).toBeLessThan(5000)
  await within(20, never)
  expect(performance.now() - start).toBeGreaterThanOrEqual(19)
  await expect(within(60_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken")
})

test("no wait leaves a timer that keeps the process alive", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
  const before = timers()
  await within(60_000, Promise.resolve())
  await expect(pause(60_000, { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(timers()).toBe(before)
})

test("work goes on for nobody after an abort, and our own reason is passed on", async () => {
  const reason = new ToolError("timeout", "Cannot wait: too late")
  expect(cancelled(AbortSignal.abort(reason))).toBe(reason)
  await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason)
  expect(await unlessAborted(Promise.resolve(3), new AbortController().signal)).toBe(3)
  expect(await unlessAborted(Promise.resolve(3), undefined)).toBe(3)
})
