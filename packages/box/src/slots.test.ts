import { expect, test } from "vitest"
import { createSlots } from "./create-box.js"

const never = new AbortController().signal

test("no more machines run at once than there are slots, and all come to run", async () => {
  const slots = createSlots(2)
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (index: number) => async () => {
    running += 1
    most = Math.max(most, running)
    order.push(index)
    await new Promise(setImmediate)
    running -= 1
  }
  await Promise.all(Array.from({ length: 20 }, (_, index) => slots.use(new AbortController().signal, work(index))))
  expect(most).toBe(2)
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test("a failure frees its slot", async () => {
  const slots = createSlots(1)
  await expect(slots.use(never, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  await expect(slots.use(never, async () => "yes")).resolves.toBe("yes")
})

test("a call that is given up leaves the queue", async () => {
  const slots = createSlots(1)
  let finish = (): void => undefined
  const first = slots.use(
    never,
    () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  )
  const abort = new AbortController()
  const second = slots.use(abort.signal, async () => "ran")
  const third = slots.use(never, async () => "third")
  abort.abort()
  await expect(second).rejects.toMatchObject({ code: "cancelled" })
  finish()
  await first
  await expect(third).resolves.toBe("third")
  await expect(slots.use(abort.signal, async () => "ran")).rejects.toMatchObject({ code: "cancelled" })
})
