import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Person } from "@haft/contract"
import { expect, test } from "vitest"
import { callWorld, rule, type WorldOptions } from "../../test/call-world.js"
import { runCall } from "./run-call.js"

const allowed = { rules: [rule("flag", "allow", "save")] }
const once: Person = { ask: async () => ({ answer: "once" }), question: async () => [] }
const recorded = async (
  options: WorldOptions,
  given: unknown = { path: "a.txt", text: "new" },
  name: unknown = "save",
) => {
  const world = callWorld(options)
  const result = await runCall({ name: name as string, arguments: given }, world.session)
  return { ...world, result, record: world.written.findLast(({ at }) => at === "settle")?.record }
}

test("a call that ran is recorded with its arguments, ladder, effects and end", async () => {
  const { record, workspace, written } = await recorded(allowed)
  expect(record).toMatchObject({
    callId: "call_1",
    sessionId: "ses",
    tool: "save",
    rawArguments: { path: "a.txt", text: "new" },
    arguments: { path: "a.txt", text: "new" },
    ladder: { verdict: "allow" },
    effects: [{ kind: "fs.write", path: join(workspace, "a.txt") }],
    envelope: { type: "output", data: { path: "a.txt" } },
    startedAt: 1_000,
    endedAt: 1_000,
  })
  expect(record?.argumentsHash).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("new")
  expect(written.filter(({ at }) => at === "settle")).toHaveLength(1)
})

test("a refusal is recorded with the ladder that refused, and without effects", async () => {
  const { record } = await recorded({ rules: [rule("user", "deny", "save")] })
  expect(record).toMatchObject({ ladder: { verdict: "deny" }, effects: [], envelope: { type: "error" } })
  expect(record?.ladder.rungs.at(-1)).toMatchObject({ rung: "rules", verdict: "deny" })
})

test("arguments that did not fit are recorded as they came, and as unjudged", async () => {
  const { record } = await recorded(allowed, { path: 3 })
  expect(record).toMatchObject({
    rawArguments: { path: 3 },
    arguments: null,
    ladder: { verdict: "deny", reason: "the call failed before it was judged", rungs: [] },
  })
})

test("what is no JSON, and a name that is no string, still give a record", async () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect((await recorded(allowed, circle)).record).toMatchObject({ rawArguments: null, envelope: { type: "error" } })
  expect((await recorded(allowed, {}, 7)).record).toMatchObject({ name: "(number)", tool: "(number)" })
})

test("an answer is recorded with who gave it and when", async () => {
  expect((await recorded({ person: once })).record?.answers).toEqual([{ answer: "once", by: "person", at: 1_000 }])
})

test("the result of a call is not lost with its record", async () => {
  const { result, record } = await recorded({ ...allowed, failingJournal: true })
  expect(record).toBeUndefined()
  expect(result.envelope).toMatchObject({ type: "output", metadata: { unrecorded: "the disk is full" } })
})

test("events tell the call from its name to its end, in order", async () => {
  const { events } = await recorded({ person: once })
  expect(events.map(({ type }) => type)).toEqual(["tool-call", "ask", "answer", "tool-start", "tool-end"])
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
})
