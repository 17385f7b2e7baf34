import { afterEach, expect, test, vi } from "vitest"
import { systemClock } from "./clock.js"

afterEach(() => {
  vi.useRealTimers()
})

test("an alarm of more days than a timer of Node takes rings at its time, and not at once", () => {
  vi.useFakeTimers()
  const ring = vi.fn()
  const days = 24 * 60 * 60 * 1000
  systemClock.after(60 * days, ring)
  const stop = systemClock.after(50 * days, ring)
  vi.advanceTimersByTime(40 * days)
  stop()
  vi.advanceTimersByTime(20 * days - 1)
  expect(ring).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(ring).toHaveBeenCalledTimes(1)
})
