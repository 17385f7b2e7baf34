import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { AskAnswer, AskRequest, Person } from "@haft/contract"
import { expect, test } from "vitest"
import { callWorld, rule, type WorldOptions } from "../../test/call-world.js"
import { runCall } from "./run-call.js"

/** A person with these answers in order; `before` runs while the question is open. */
function answering(answers: readonly unknown[], before: (request: AskRequest) => void = () => undefined) {
  const asked: AskRequest[] = []
  const person: Person = {
    ask: async (request) => {
      asked.push(request)
      before(request)
      return answers[asked.length - 1] as AskAnswer
    },
    question: async () => [],
  }
  return { person, asked }
}

const call = (world: ReturnType<typeof callWorld>, path = "a.txt") =>
  runCall({ name: "save", arguments: { path, text: "new" } }, world.session)

test("an edited call enters again at the capability rung, and is asked about as what it has become", async () => {
  const { person, asked } = answering([{ answer: "edit", arguments: { path: "/etc/passwd", text: "x" } }])
  const { envelope } = await call(callWorld({ person }))
  expect(asked).toHaveLength(1)
  expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
  const details = envelope.metadata.details as { ladder: { rungs: readonly { rung: string; verdict: string }[] } }
  expect(details.ladder.rungs.at(-1)).toMatchObject({ rung: "capability", verdict: "deny" })
})

test("an edited call that may go on is asked about again with the new arguments", async () => {
  const { person, asked } = answering([{ answer: "edit", arguments: { path: "b.txt", text: "x" } }, { answer: "once" }])
  const { envelope } = await call(callWorld({ person }))
  expect(asked.map(({ arguments: input }) => input)).toEqual([
    { path: "a.txt", text: "new" },
    { path: "b.txt", text: "x" },
  ])
  expect(envelope).toMatchObject({ type: "output", data: { path: "b.txt" } })
})

test("a rule that denies while the question is open wins over the answer", async () => {
  const options: { world?: ReturnType<typeof callWorld> } = {}
  const { person } = answering([{ answer: "once" }], () => {
    void options.world!.session.addSessionRule({ permission: "save", action: "deny" })
  })
  options.world = callWorld({ person })
  expect((await call(options.world)).envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
})

test("a link that is swapped while the question is open leaves the answer without its place", async () => {
  const options: { world?: ReturnType<typeof callWorld> } = {}
  const { person } = answering([{ answer: "once" }], () => {
    rmSync(join(options.world!.workspace, "link"))
    symlinkSync("two", join(options.world!.workspace, "link"))
  })
  options.world = callWorld({ person })
  for (const name of ["one", "two"]) mkdirSync(join(options.world.workspace, name))
  symlinkSync("one", join(options.world.workspace, "link"))
  expect((await call(options.world, "link/a.txt")).envelope).toMatchObject({
    type: "error",
    metadata: { error_code: "conflict" },
  })
})

test("an answer for the session is kept, and the next call is not asked about", async () => {
  const { person, asked } = answering([{ answer: "session" }])
  const world = callWorld({ person })
  for (const path of ["a.txt", "a.txt"]) expect((await call(world, path)).envelope.type).toBe("output")
  expect(asked).toHaveLength(1)
  expect(world.saved.at(-1)).toMatchObject([{ permission: "fs.write", pattern: "a.txt", action: "allow" }])
})

test("an answer that keeps more than was asked about is refused and not kept", async () => {
  const { person } = answering([{ answer: "session", rule: { permission: "*", action: "allow" } }])
  const world = callWorld({ person })
  expect((await call(world)).envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
  expect(world.saved).toEqual([])
})

test.each<[string, WorldOptions, string]>([
  ["nobody is there", {}, "and nobody is here to ask"],
  ["a rule denies", { rules: [rule("user", "deny", "save")] }, "denies"],
])("where %s the refusal says so", async (_name, options, words) => {
  const { envelope } = await call(callWorld(options))
  expect(envelope).toMatchObject({ type: "error", error_text: expect.stringContaining(words) })
})
