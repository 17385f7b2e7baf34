import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createMemoryWatch } from "./memory-watch.js"

const megabyte = 1024 * 1024
let bytes = 0

beforeEach(() => {
  bytes = 100 * megabyte
  vi.useFakeTimers()
  vi.spyOn(process.memoryUsage, "rss").mockImplementation(() => bytes)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test("work that takes too much is stopped, once", () => {
  const watch = createMemoryWatch()
  const stop = vi.fn()
  watch.follow(stop)
  bytes += 500 * megabyte
  vi.advanceTimersByTime(100)
  expect(stop).not.toHaveBeenCalled()
  bytes += 20 * megabyte
  vi.advanceTimersByTime(500)
  expect(stop).toHaveBeenCalledTimes(1)
})

test("of several the oldest is stopped, and the others are left to go on", () => {
  const watch = createMemoryWatch()
  const [older, newer, plain] = [vi.fn(), vi.fn(), undefined]
  watch.follow(older)
  watch.follow(newer)
  watch.follow(plain)
  // What two others may take is not held against either.
  bytes += 1_200 * megabyte
  vi.advanceTimersByTime(100)
  expect(older).not.toHaveBeenCalled()
  bytes += 200 * megabyte
  vi.advanceTimersByTime(100)
  expect(older).toHaveBeenCalledTimes(1)
  expect(newer).not.toHaveBeenCalled()
})

test("work that ended is not stopped", () => {
  const watch = createMemoryWatch()
  const stop = vi.fn()
  const unfollow = watch.follow(stop)
  unfollow()
  bytes += 5_000 * megabyte
  vi.advanceTimersByTime(1_000)
  expect(stop).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
