import { ToolError } from "@haft/contract"
import { afterEach, expect, test, vi } from "vitest"
import { execute, sleep } from "./sleep.js"

afterEach(() => void vi.useRealTimers())

const run = (duration_ms: number, signal = new AbortController().signal) =>
  execute({ duration_ms }, { signal } as Parameters<typeof execute>[1])

test("it waits the whole time and says how long it was", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  const slept = run(60_000)
  await vi.advanceTimersByTimeAsync(59_999)
  const state = await Promise.race([slept, "still asleep"])
  expect(state).toBe("still asleep")
  await vi.advanceTimersByTimeAsync(1)
  expect(await slept).toEqual({ slept_ms: 60_000 })
  expect(sleep.present({ slept_ms: 60_000 }, { duration_ms: 60_000 })).toEqual([
    { type: "text", text: "Waited 60000 ms" },
  ])
})

test("[C2-12] an abort ends the wait at once, and nothing stays behind", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const controller = new AbortController()
  const slept = run(300_000, controller.signal)
  controller.abort(new ToolError("cancelled", "Cancelled by the caller"))
  await expect(slept).rejects.toMatchObject({ code: "cancelled" })
  expect(vi.getTimerCount()).toBe(0)
  await expect(run(300_000, controller.signal)).rejects.toMatchObject({ code: "cancelled" })
})

test.each([-1, 0.5, 300_001, "5", undefined])("[C2-7] duration_ms %j is not valid", (duration_ms) => {
  expect(sleep.manifest.input.safeParse({ duration_ms }).success).toBe(false)
})

test("the longest sleep fits into the time of a call, and sleeping again is not a loop", () => {
  expect(sleep.manifest.input.safeParse({ duration_ms: 300_000 }).success).toBe(true)
  expect(sleep.manifest.timeoutMs).toBeGreaterThan(300_000)
  expect(sleep.manifest.polls).toBe(true)
})
