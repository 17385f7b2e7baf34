import { access } from "node:fs/promises"
import { setTimeout as wait } from "node:timers/promises"
import type { Envelope } from "@haft/contract"
import { expect, test } from "vitest"
import { libraryWorld } from "./library-world.js"
import { shellWorld } from "./shell-world.js"

function failed(envelope: Envelope) {
  if (envelope.type !== "error") throw new Error(`expected an error, got ${JSON.stringify(envelope.data)}`)
  return { code: envelope.metadata.error_code, text: envelope.error_text }
}

const closed = { code: "cancelled", text: expect.stringMatching(/^Cannot use session "ses_.+": it is closed$/) }

test("a command that runs when its session closes ends with it and writes nothing afterwards", async () => {
  await using world = await shellWorld()
  const running = world.session.call("bash", { command: "touch begun; sleep 2; touch late" }, { answer: "once" })
  await expect.poll(() => exists(world.path("begun")), { timeout: 10_000 }).toBe(true)
  await world.session.close()
  expect(failed(await running)).toEqual(closed)
  await wait(2500)
  expect(await exists(world.path("late"))).toBe(false)
})

test("a question that is open when its session closes is over", async () => {
  await using world = await shellWorld()
  let asks = 0
  const ask = () => {
    asks += 1
    return new Promise<never>(() => undefined)
  }
  const session = await world.open({ person: { ask, question: ask } })
  const waiting = session.call("write", { file_path: "a.txt", content: "" })
  await expect.poll(() => asks).toBe(1)
  await session.close()
  expect(failed(await waiting)).toEqual(closed)
})

test.each([
  ["read", { file_path: "a.txt" }],
  ["write", { file_path: "b.txt", content: "" }],
  ["bash", { command: "touch c.txt" }],
  ["job_start", { command: "sleep 9" }],
  ["todo", { todos: [] }],
] as const)("after its session closed, %s is refused and says so", async (name: string, input) => {
  await using world = await shellWorld({ "a.txt": "a\n" })
  await world.session.close()
  expect(failed(await world.session.call(name, input, { answer: "once" }))).toEqual(closed)
  await expect(world.session.explain(name, input)).rejects.toMatchObject({ code: "cancelled" })
  expect(await exists(world.path("b.txt"))).toBe(false)
  expect(await exists(world.path("c.txt"))).toBe(false)
})

test("a session that is let go refuses calls too", async () => {
  await using world = await shellWorld({ "a.txt": "a\n" })
  await world.session.call("read", { file_path: "a.txt" })
  await world.session.detach()
  expect(failed(await world.session.call("read", { file_path: "a.txt" }))).toEqual(closed)
})

test("closing twice at once waits for the same end", async () => {
  await using world = await shellWorld()
  const running = world.session.call("bash", { command: "touch begun; sleep 9" }, { answer: "once" })
  await expect.poll(() => exists(world.path("begun")), { timeout: 10_000 }).toBe(true)
  await Promise.all([world.session.close(), world.session.close()])
  expect(failed(await running)).toEqual(closed)
})

test("a closed Haft opens nothing, undoes nothing, and its sessions answer at once", async () => {
  const world = await libraryWorld({ "a.txt": "a\n" })
  try {
    const haft = await world.haft()
    const session = await haft.openSession()
    await session.call("read", { file_path: "a.txt" })
    await haft.close()
    expect(failed(await session.call("read", { file_path: "a.txt" }))).toEqual(closed)
    for (const use of [() => haft.openSession(), () => haft.undo(), () => haft.store()]) {
      await expect(use()).rejects.toMatchObject({ code: "cancelled", message: "Cannot use this Haft: it is closed" })
    }
  } finally {
    await world.remove()
  }
})

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
