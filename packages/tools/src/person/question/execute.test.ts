import { nobodyAnswers } from "@haft/contract"
import { fakeConversation, runExample, testCall } from "@haft/testkit"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { examples } from "./examples.js"
import { execute } from "./execute.js"
import { question } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const run = (questions: readonly object[], conversation: object) =>
  execute(question.manifest.input.parse({ questions }), { conversation } as Parameters<typeof execute>[1])

test.each(examples)("example: $name", async (example) => {
  bench = await openBench()
  const conversation = fakeConversation(example.output ? { answers: [example.output.answers!] } : {})
  const { context } = testCall(question, bench.ports, { conversation })
  await runExample(question, example, () => ({ context }))
})

describe("a person is there", () => {
  test("[C2-33] [C2-34] the call waits until the answers are there, and nothing else ends it", async () => {
    let answer: (answers: readonly (readonly string[])[]) => void = () => undefined
    const conversation = {
      ...fakeConversation({ answers: [] }),
      question: () =>
        new Promise<readonly (readonly string[])[]>((done) => {
          answer = done
        }),
    }
    let ended = false
    const waiting = run([{ question: "Which?" }], conversation).finally(() => {
      ended = true
    })
    // [C2-37] What is said elsewhere in the conversation is no answer.
    conversation.tell({ message: "SQLite", status: "normal", attachments: [] })
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(ended).toBe(false)
    answer([["SQLite"]])
    expect(await waiting).toEqual({ answers: [["SQLite"]] })
  })

  test("several questions are asked in one go, as they were written", async () => {
    const conversation = fakeConversation({ answers: [[["a"], ["free text", "b"]]] })
    const questions = [
      { question: "One?", header: "H", options: [{ label: "a", description: "d" }] },
      { question: "Two?", multi_select: true },
    ]
    expect(await run(questions, conversation)).toEqual({ answers: [["a"], ["free text", "b"]] })
    expect(conversation.asked).toEqual([questions])
  })

  test.each([[[]], [[["a"], ["b"]]], [[["a", "b"]]]])(
    "[C2-38] the answers %j to one question are refused as a whole",
    async (answers) => {
      const error = await failure(run([{ question: "Which?" }], fakeConversation({ answers: [answers] })))
      expect(error.code).toBe("backend")
    },
  )

  test("no answer is said as such", () => {
    expect(question.present({ answers: [["a", "b"], []] }, { questions: [] })).toEqual([
      { type: "text", text: "1. a, b\n2. (no answer)" },
    ])
  })
})

describe("nobody is there", () => {
  test("[C2-35] the error has the fixed text and nothing else", async () => {
    const error = await failure(run([{ question: "Which?" }], fakeConversation()))
    expect(error).toMatchObject({ code: "unavailable", message: nobodyAnswers, hint: undefined })
    expect(nobodyAnswers).toBe(
      "No person is available to answer questions here. Continue with your best assumption and say which one you made",
    )
  })

  test("[C2-36] the tool needs nothing that a headless host lacks", () => {
    expect(question.manifest.requires).toEqual({})
    expect(question.manifest.effects({ questions: [{ question: "Which?" }] })).toEqual([])
  })
})

test.each([
  [{ questions: [] }],
  [{ questions: Array.from({ length: 11 }, () => ({ question: "?" })) }],
  [{ questions: [{ question: "" }] }],
  [{ questions: [{ question: "?", options: Array.from({ length: 11 }, () => ({ label: "x" })) }] }],
  [{ questions: [{ question: "?", options: [{}] }] }],
  [{ questions: [{ question: "?", multiSelect: true }] }],
])("[C2-7] %j is not valid", (input) => {
  expect(question.manifest.input.safeParse(input).success).toBe(false)
})
