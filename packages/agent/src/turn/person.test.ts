import {
  type Answer,
  type AskAnswer,
  type AskRequest,
  type Json,
  type Person,
  type StepScope,
  ToolError,
} from "@haft/contract"
import { expect, test } from "vitest"
import { TurnPerson } from "./person.js"

const request = (preview: string, ms = 1) =>
  ({ callId: "call_1", preview, ladder: { verdict: "ask", rungs: [{ rung: "rules", ms }] } }) as unknown as AskRequest

const signal = new AbortController().signal

/** A step whose waits are answered when the test says so. */
function openStep() {
  const waits = new Map<string, (answer: Answer<Json>) => void>()
  const wait = (name: string) => new Promise((resolve) => waits.set(name, resolve as never))
  const give = (name: string, value: Json) => waits.get(name)?.({ state: "answered", value })
  return { waits, give, scope: { wait } as unknown as StepScope }
}

test("the same request waits under one name in every attempt, and another preview under another: an old answer does not fit it", () => {
  const person = new TurnPerson(undefined, () => undefined)
  const { waits, give, scope } = openStep()
  person.enter("call_1", scope, give)
  void person.ask(request("one", 1), signal)
  void person.ask(request("one", 2), signal)
  expect(waits.size).toBe(1)
  void person.ask(request("two"), signal)
  expect(waits.size).toBe(2)
})

test("a door is told when somebody else has answered, and what it says then counts no more", async () => {
  let shown: AbortSignal | undefined
  let say: (answer: AskAnswer) => void = () => undefined
  const door: Person = {
    ask: (_, closed) => {
      shown = closed
      return new Promise((resolve) => {
        say = resolve
      })
    },
    question: async () => [],
  }
  const person = new TurnPerson(door, () => undefined)
  const { waits, give, scope } = openStep()
  person.enter("call_1", scope, give)
  const asked = person.ask(request("one"), signal)
  expect(shown?.aborted).toBe(false)
  give([...waits.keys()][0]!, { answer: "reject", reason: "no" })
  expect(await asked).toEqual({ answer: "reject", reason: "no" })
  expect(shown?.aborted).toBe(true)
  say({ answer: "once" })
})

test("a door that fails refuses", async () => {
  const door: Person = { ask: () => Promise.reject(new Error("the terminal is gone")), question: async () => [] }
  const person = new TurnPerson(door, () => undefined)
  const { give, scope } = openStep()
  person.enter("call_1", scope, give)
  expect(await person.ask(request("one"), signal)).toEqual({
    answer: "reject",
    reason: "the question could not be put to a person (the terminal is gone)",
  })
})

test("a door at which nobody answers questions fails the call in its own words", async () => {
  const refusal = new ToolError("unavailable", "Nobody is here")
  const door: Person = { ask: async () => ({ answer: "once" }), question: () => Promise.reject(refusal) }
  const person = new TurnPerson(door, () => undefined)
  const { give, scope } = openStep()
  person.enter("call_1", scope, give)
  await expect(person.question([{ question: "Which?" }], signal, "call_1")).rejects.toMatchObject({
    code: "unavailable",
    message: "Nobody is here",
  })
})
