import type { AskAnswer, FactsRequest, Person, SessionPorts, WorkspaceFacts } from "@haft/contract"
import { expect, test } from "vitest"
import { callWorld, rule, save } from "../../../test/call-world.js"
import { createRegistry } from "../../registry/create-registry.js"
import { explainCall } from "../explain-call.js"
import { runCall } from "../run-call.js"

/** Runs its `text` as a command line. */
const run = {
  ...save,
  manifest: {
    ...save.manifest,
    id: "run",
    requires: { ...save.manifest.requires, shell: [{ cmd: "*" }] },
    effects: () => [],
    command: ({ text }: { text: string }) => ({ kind: "bash" as const, text }),
  },
}

function world(unmasked: readonly string[], answers: readonly AskAnswer[] = []) {
  const left = [...answers]
  const person: Person = { ask: async () => left.shift() ?? { answer: "reject" }, question: async () => [] }
  const made = callWorld({ person, rules: [rule("flag", "allow", "run")] })
  const asked: FactsRequest[] = []
  const started: string[] = []
  const ports: Partial<SessionPorts> = {
    workspaceFacts: async (request): Promise<WorkspaceFacts> => {
      asked.push(request)
      return { unmasked }
    },
    commands: () => {
      started.push("commands")
      throw new Error("a verdict starts nothing")
    },
  }
  Object.assign(made.session.ports, ports)
  Object.assign(made.session, { registry: createRegistry([run as never]) })
  return { ...made, asked, started }
}

const call = (text: string) => ({ name: "run", arguments: { path: "a.txt", text } })

test("the port is asked once a call, however often the call is evaluated", async () => {
  const edit = (text: string): AskAnswer => ({ answer: "edit", arguments: { path: "a.txt", text } })
  const { session, asked, started } = world(["too many"], [edit("cat b.txt"), edit("cat c.txt")])
  const { envelope } = await runCall(call("cat a.txt"), session)
  expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
  expect([asked.length, started]).toEqual([1, []])
  await runCall(call("cat a.txt"), session)
  expect(asked).toHaveLength(2)
})

test("a call that is explained asks for nothing that only its run needs, and one that is refused for nothing at all", async () => {
  const { session, asked, started } = world([])
  const { ladder } = await explainCall(call("touch a.txt"), session)
  expect([ladder.verdict, asked.map(({ mayWrite }) => mayWrite), started]).toEqual(["allow", [false], []])
  await session.addSessionRule({ permission: "run", action: "deny" })
  expect((await explainCall(call("touch a.txt"), session)).ladder.verdict).toBe("deny")
  expect(asked).toHaveLength(1)
})
