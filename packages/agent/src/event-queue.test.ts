import type { SessionEvent } from "@haft/contract"
import { expect, test, vi } from "vitest"
import { EventQueue } from "./event-queue.js"

function textOf(delta: string): SessionEvent {
  return { type: "text-delta", turn: "t", step: 1, delta, session: "s", sequence: 1, at: 0 } as unknown as SessionEvent
}

test("reads ahead get one event each, in order, and then the end", async () => {
  const queue = new EventQueue()
  const reads = [queue.next(), queue.next(), queue.next(), queue.next()]
  queue.push(textOf("a"))
  queue.push(textOf("b"))
  queue.end()
  const results = await Promise.all(reads)
  expect(results.map(({ value }) => value?.delta)).toEqual(["a", "b", undefined, undefined])
  expect(results.map(({ done }) => done)).toEqual([false, false, true, true])
})

test("a reader that leaves gets no more, nor does a read that waits", async () => {
  const onLeave = vi.fn()
  const queue = new EventQueue(onLeave)
  const waiting = queue.next()
  expect(onLeave).not.toHaveBeenCalled()
  expect(await queue.return()).toEqual({ value: undefined, done: true })
  expect(await waiting).toEqual({ value: undefined, done: true })
  expect(onLeave).toHaveBeenCalled()
  queue.push(textOf("late"))
  expect((await queue.next()).done).toBe(true)
})

test("what waits is joined, and is given before the end", async () => {
  const queue = new EventQueue()
  for (const piece of ["a", "b", "c"]) queue.push(textOf(piece))
  queue.end()
  const deltas: unknown[] = []
  for await (const event of queue) deltas.push((event as { readonly delta?: string }).delta)
  expect(deltas).toEqual(["abc"])
})
