import type { AskRequest, CallRecord } from "@haft/contract"
import { expect, test } from "vitest"
import { fakeClock } from "./fake-clock.js"
import { memoryJournal } from "./memory-journal.js"
import { scriptedPerson } from "./scripted-person.js"
import { fakeMemory } from "./test-call.js"

const signal = new AbortController().signal
const request = { tool: "write", sessionId: "s", callId: "c" } as AskRequest

test("the clock moves only when told to", () => {
  const clock = fakeClock(1000)
  clock.advance(50)
  expect([clock.now(), clock.now()]).toEqual([1050, 1050])
})

test("a person answers in the order of the script and rejects beyond its end", async () => {
  const person = scriptedPerson({
    asks: [{ answer: "once" }, ({ tool }) => ({ answer: "reject", reason: tool })],
    questions: [[["yes"]]],
  })
  expect(await person.ask(request, signal)).toEqual({ answer: "once" })
  expect(await person.ask(request, signal)).toEqual({ answer: "reject", reason: "write" })
  expect(await person.question([{ question: "?" }], signal, "call_1")).toEqual([["yes"]])
  await expect(person.ask(request, signal)).rejects.toThrow("ask number 3")
  expect(person.asked).toHaveLength(3)
  await expect(person.ask(request, AbortSignal.abort())).rejects.toThrow()
})

test("memory keeps the last list", async () => {
  const memory = fakeMemory()
  memory.setTodos([{ content: "a", status: "pending" }])
  expect(await memory.todos()).toEqual([{ content: "a", status: "pending" }])
})

test("the journal keeps one record a call, and both states of it in writing order", async () => {
  const journal = memoryJournal()
  const record = { id: "1", callId: "c", sessionId: "s", endedAt: null } as CallRecord
  await journal.begin(record)
  await journal.settle({ ...record, endedAt: 5 })
  await journal.settle({ ...record, id: "2", sessionId: "other" })
  expect(await journal.calls("s")).toEqual([{ ...record, endedAt: 5 }])
  expect(journal.written.map(({ at, record: { id } }) => [at, id])).toEqual([
    ["begin", "1"],
    ["settle", "1"],
    ["settle", "2"],
  ])
  await journal.savePermissions("s", [{ permission: "*", action: "ask", source: { scope: "session" } }])
  expect(journal.permissions("s")).toHaveLength(1)
  expect(journal.permissions("none")).toEqual([])
})
