import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AskAnswer, AskRequest, Person } from "@haft/contract"
import { expect, test } from "vitest"
import { callWorld } from "../../test/call-world.js"
import { runCall } from "./run-call.js"

const personWho = (ask: (request: AskRequest, signal: AbortSignal) => unknown): Person => ({
  ask: async (request, signal) => (await ask(request, signal)) as AskAnswer,
  question: async () => [],
})
const call = (world: ReturnType<typeof callWorld>, signal?: AbortSignal) =>
  runCall({ name: "save", arguments: { path: "a.txt", text: "new" }, ...(signal ? { signal } : {}) }, world.session)

test("an abort while the question is open ends the call at once, although nobody answers", async () => {
  const controller = new AbortController()
  let seen: AbortSignal | undefined
  const world = callWorld({
    person: personWho((_request, signal) => {
      seen = signal
      setTimeout(() => controller.abort(), 10)
      return new Promise(() => undefined)
    }),
  })
  const { envelope } = await call(world, controller.signal)
  expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "cancelled" } })
  expect(seen?.aborted).toBe(true)
  expect(world.written.at(-1)?.record.answers).toBeUndefined()
})

test("a question that is taken back was rejected by nobody", async () => {
  const controller = new AbortController()
  const world = callWorld({
    person: personWho((_request, signal) => {
      setTimeout(() => controller.abort(), 10)
      return new Promise((_answer, fail) => {
        signal.addEventListener("abort", () => fail(new Error("taken back")))
      })
    }),
  })
  await call(world, controller.signal)
  await new Promise((later) => setTimeout(later, 20))
  expect(world.events.map(({ type }) => type)).toEqual(["tool-call", "ask", "tool-end"])
})

test("the first answer counts, and a second one changes nothing", async () => {
  const world = callWorld({
    person: personWho(
      () =>
        new Promise((answer) => {
          answer({ answer: "reject", reason: "no" })
          answer({ answer: "once" })
        }),
    ),
  })
  expect((await call(world)).envelope).toMatchObject({ type: "error", error_text: expect.stringContaining("no") })
  expect(world.events.filter(({ type }) => type === "answer")).toHaveLength(1)
})

test.each([
  undefined,
  "once",
  {},
  { answer: "yes" },
  { answer: "edit" },
  { answer: "session", rule: { action: "allow" } },
])("the answer %j is not understood, and rejects", async (answer) => {
  const world = callWorld({ person: personWho(() => answer) })
  expect((await call(world)).envelope).toMatchObject({
    type: "error",
    error_text: expect.stringContaining("the answer could not be understood"),
  })
  expect(world.written.at(-1)?.record.answers).toMatchObject([{ answer: "reject", by: "nobody" }])
})

test("a person who cannot be reached rejects, with the reason", async () => {
  const world = callWorld({
    person: personWho(() => {
      throw new Error("the page is closed")
    }),
  })
  expect((await call(world)).envelope).toMatchObject({ error_text: expect.stringContaining("the page is closed") })
})

test("a file that changes while the question is open is a conflict", async () => {
  const place: { file?: string } = {}
  const world = callWorld({
    person: personWho(() => {
      writeFileSync(place.file!, "somebody else")
      return { answer: "once" }
    }),
  })
  place.file = join(world.workspace, "a.txt")
  expect((await call(world)).envelope).toMatchObject({ type: "error", metadata: { error_code: "conflict" } })
})

test("a question that comes again says what was answered before and what differs", async () => {
  const asked: AskRequest[] = []
  const world = callWorld({
    person: personWho((request) => {
      asked.push(request)
      return { answer: "once" }
    }),
  })
  await call(world)
  await runCall({ name: "save", arguments: { path: "b.txt", text: "new" } }, world.session)
  expect(asked[0]?.askedBefore).toBeUndefined()
  expect(asked[1]?.askedBefore).toBe('a call with path="a.txt" was answered "once"; this one has path="b.txt"')
})
