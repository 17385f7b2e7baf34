import { expect, test } from "vitest"
import { Cancellation } from "./cancellation.js"

test("listeners hear of an abort once, with its first reason, in the order in which they came", () => {
  const heard: string[] = []
  const signal = new Cancellation()
  signal.addEventListener("abort", () => heard.push(`one: ${signal.reason}`))
  signal.addEventListener("abort", () => heard.push(`two: ${signal.reason}`))
  signal.abort("first")
  signal.abort("second")
  expect(heard).toEqual(["one: first", "two: first"])
  expect(signal).toMatchObject({ aborted: true, reason: "first" })
})

test("who left, also while others are told, hears nothing, and neither does who comes too late", () => {
  const heard: string[] = []
  const signal = new Cancellation()
  const left = () => heard.push("left")
  const leftMeanwhile = () => heard.push("left meanwhile")
  signal.addEventListener("abort", left)
  signal.addEventListener("abort", () => signal.removeEventListener("abort", leftMeanwhile))
  signal.addEventListener("abort", leftMeanwhile)
  signal.removeEventListener("abort", left)
  signal.abort("over")
  signal.addEventListener("abort", () => heard.push("late"))
  expect(heard).toEqual([])
})
