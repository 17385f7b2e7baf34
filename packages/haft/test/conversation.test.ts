import { nobodyAnswers, type SessionEvent } from "@haft/contract"
import { scriptedPerson } from "@haft/testkit"
import { loadTool } from "@haft/tools"
import { describe, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import { libraryWorld } from "./library-world.js"

async function open(options: HaftOptions = {}, files: Record<string, string> = {}) {
  const world = await libraryWorld(files)
  const haft = await world.haft({ toolset: "all", ...options })
  return { session: await haft.openSession(), path: world.path, [Symbol.asyncDispose]: () => world.remove() }
}

const asked = { questions: [{ question: "Which one?", options: [{ label: "left" }, { label: "right" }] }] }

describe("question", () => {
  test("[C2-33] [C2-34] waits for the person and returns one list of answers a question", async () => {
    const person = scriptedPerson({ questions: [[["left"]]] })
    await using world = await open({ person })
    expect(await world.session.call("question", asked)).toMatchObject({ type: "output", data: { answers: [["left"]] } })
    expect(person.questioned).toEqual([[expect.objectContaining({ question: "Which one?" })]])
  })

  test("[C2-35] [C2-36] stays registered where nobody is, and answers with the fixed text", async () => {
    await using world = await open()
    const envelope = await world.session.call("question", asked)
    expect(envelope).toMatchObject({ type: "error", error_text: nobodyAnswers })
    expect(world.session.toolDefinitions().some(({ name }) => name === "question")).toBe(true)
  })

  test("[C2-37] [C2-38] one request resolves one block: other calls go on meanwhile, and an abort ends the wait", async () => {
    const waiting: ((answers: readonly (readonly string[])[]) => void)[] = []
    const person = {
      ask: async () => ({ answer: "reject" }) as const,
      question: () => new Promise<readonly (readonly string[])[]>((resolve) => void waiting.push(resolve)),
    }
    await using world = await open({ person })
    const abort = new AbortController()
    const given = world.session.call("question", asked)
    const left = world.session.call("question", asked, { signal: abort.signal })
    expect((await world.session.call("todo", { todos: [] })).type).toBe("output")
    abort.abort()
    expect((await left).metadata.error_code).toBe("cancelled")
    expect(waiting).toHaveLength(2)
    waiting[0]!([["right"]])
    expect(await given).toMatchObject({ type: "output", data: { answers: [["right"]] } })
  })
})

describe("plan_exit", () => {
  const write = { file_path: "a.txt", content: "x" }
  const allowed = [{ permission: "fs.write", pattern: "{workspace}/**", action: "allow" }] as const

  test("[C2-186] an approved plan ends mode plan", async () => {
    const person = scriptedPerson({ questions: [[["Carry it out"]]] })
    await using world = await open({ person, mode: "plan", rules: allowed })
    expect((await world.session.call("write", write)).metadata.error_code).toBe("denied")
    const left = await world.session.call("plan_exit", { plan: "1. write a.txt" })
    expect(left).toMatchObject({ type: "output", data: { approved: true } })
    expect((await world.session.call("write", write)).type).toBe("output")
  })

  test.each([
    ["Keep planning", undefined],
    ["First write a test", "First write a test"],
  ])("the answer %j leaves the mode as it is", async (answer, reason) => {
    const person = scriptedPerson({ questions: [[[answer]]] })
    await using world = await open({ person, mode: "plan", rules: allowed })
    const left = await world.session.call("plan_exit", { plan: "1. write a.txt" })
    expect(left).toMatchObject({ type: "output", data: { approved: false, ...(reason ? { reason } : {}) } })
    expect((await world.session.call("write", write)).metadata.error_code).toBe("denied")
  })

  test("nobody there: not approved", async () => {
    await using world = await open({ mode: "plan" })
    expect(await world.session.call("plan_exit", { plan: "1." })).toMatchObject({ data: { approved: false } })
  })
})

describe("structured_output", () => {
  const outputSchema = {
    type: "object",
    properties: { answer: { type: "integer" } },
    required: ["answer"],
    additionalProperties: false,
  }

  test("fits the schema of the host, or says what does not", async () => {
    await using world = await open({ output: { schema: outputSchema } })
    expect(await world.session.call("structured_output", { answer: 42 })).toMatchObject({ data: { answer: 42 } })
    const wrong = await world.session.call("structured_output", { answer: "42" })
    expect(wrong).toMatchObject({ type: "error", metadata: { error_code: "invalid_args" } })
    expect(wrong.type === "error" && wrong.error_text).toContain("answer")
  })

  test("a schema that cannot be read stops the start", async () => {
    await expect(open({ output: { schema: { type: "nonsense" } } })).rejects.toMatchObject({ code: "invalid_args" })
  })
})

test("send_user_message reaches the host as an event", async () => {
  const events: SessionEvent[] = []
  await using world = await open({ hooks: { onEvent: (event) => void events.push(event) } }, { "a.png": "x" })
  const message = { message: "Half done", status: "proactive" as const, attachments: ["a.png"] }
  expect((await world.session.call("send_user_message", message)).type).toBe("output")
  expect(events.find(({ type }) => type === "message")).toMatchObject({
    message: "Half done",
    status: "proactive",
    attachments: [{ path: world.path("a.png"), size: 1, is_image: true }],
  })
})

test("[C2-33] no other tool of the locked set waits for answers", async () => {
  const asked: string[] = []
  const person = {
    ask: async () => ({ answer: "once" }) as const,
    question: async () => {
      asked.push(current)
      return [["yes"]]
    },
  }
  let current = ""
  await using world = await open({ person, toolset: "locked" })
  for (const { name } of world.session.toolDefinitions()) {
    current = name
    const { examples } = await (await loadTool(name))!.examples()
    await world.session.call(name, examples[0]!.input as never)
  }
  expect(asked).toEqual(["question"])
})

test("[C2-148] tool_search says that every tool is listed where none is deferred", async () => {
  await using world = await open()
  for (const query of ["select:calculator", "list directory", ""]) {
    expect(await world.session.call("tool_search", { query })).toMatchObject({ data: { matches: [], unlisted: 0 } })
  }
})
