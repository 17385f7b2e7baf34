import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import { CallSignal } from "./call-signal.js"

const never = new Promise<never>(() => undefined)

test("work that ends in time passes through, and failures too", async () => {
  const signal = new CallSignal(undefined)
  expect(await signal.work(Promise.resolve(1), 1000)).toBe(1)
  await expect(signal.work(Promise.reject(new Error("own")), 1000)).rejects.toThrow("own")
})

test("[C2-12] a tool that ignores the abort is left behind after the grace", async () => {
  const outer = new AbortController()
  const signal = new CallSignal(outer.signal)
  const work = signal.work(never, 60_000)
  outer.abort()
  await expect(work).rejects.toMatchObject({ code: "cancelled" })
  expect(signal.signal.aborted).toBe(true)
})

test("[C2-12] a tool that winds up in time may return what it has", async () => {
  const outer = new AbortController()
  const signal = new CallSignal(outer.signal)
  const partial = new Promise((settle) => signal.signal.addEventListener("abort", () => settle("partial")))
  const work = signal.work(partial, 60_000)
  outer.abort()
  expect(await work).toBe("partial")
})

test("a passed deadline is a timeout, and what the tool throws because of it is not reported instead", async () => {
  const signal = new CallSignal(undefined)
  const work = new Promise((_, fail) => signal.signal.addEventListener("abort", () => fail(new Error("aborted"))))
  await expect(signal.work(work, 5)).rejects.toMatchObject({ code: "timeout" })
})

test("a wait for a person ends at once when the caller gives up", async () => {
  const outer = new AbortController()
  const signal = new CallSignal(outer.signal)
  const wait = signal.wait(never)
  outer.abort(new ToolError("cancelled", "enough"))
  await expect(wait).rejects.toThrow("enough")
  expect(() => signal.check()).toThrow("enough")
})

test("work that starts after an answer and an abort came together is left behind too", async () => {
  const outer = new AbortController()
  const signal = new CallSignal(outer.signal)
  const answered = signal.wait(Promise.resolve("once"))
  outer.abort()
  expect(await answered).toBe("once")
  await expect(signal.work(never, 60_000)).rejects.toMatchObject({ code: "cancelled" })
})

test("who listens without a signal is told once, at once when it is too late, and not after it stopped", async () => {
  const outer = new AbortController()
  const signal = new CallSignal(outer.signal)
  const told: string[] = []
  signal.onAbort(() => told.push("listening"))
  signal.onAbort(() => told.push("stopped"))()
  const work = signal.work(never, 60_000)
  outer.abort()
  expect(told).toEqual(["listening"])
  signal.onAbort(() => told.push("late"))
  expect(told).toEqual(["listening", "late"])
  await expect(work).rejects.toMatchObject({ code: "cancelled" })
  expect(told).toEqual(["listening", "late"])
})
