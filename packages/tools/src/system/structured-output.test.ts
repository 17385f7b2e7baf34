import { fakeConversation } from "@haft/testkit"
import fc from "fast-check"
import { expect, test } from "vitest"
import { failure } from "../../test/failure.js"
import { execute, structuredOutput } from "./structured-output.js"

const run = (input: Record<string, unknown>, conversation = fakeConversation()) =>
  execute(input, { conversation } as unknown as Parameters<typeof execute>[1])

test("any object comes back as it is, and the words are fixed", async () => {
  const { manifest, present } = structuredOutput
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, noNullPrototype: true }),
      async (value) => {
        fc.pre(!Object.hasOwn(value, "__proto__"))
        const output = manifest.output.parse(await run(manifest.input.parse(value)))
        expect(output).toEqual(value)
        expect(present(output, value)).toEqual([{ type: "text", text: "Structured output provided successfully" }])
      },
    ),
  )
})

test("fields may be called as the runtime calls its own", async () => {
  const value = { head: { x: 1 }, metadata: 5 }
  expect(structuredOutput.manifest.output.parse(await run(value))).toEqual(value)
})

test("an empty object is refused", async () => {
  expect((await failure(run({}))).code).toBe("invalid_args")
})

test("[C2-8] an object that does not fit the schema of the host is refused with the problems", async () => {
  const asked: unknown[] = []
  const conversation = fakeConversation({
    outputSchema: { type: "object", required: ["answer"] },
    checkOutput: (value) => {
      asked.push(value)
      return Object.hasOwn(value as object, "answer") ? [] : ['"answer" is missing']
    },
  })
  const error = await failure(run({ other: 1 }, conversation))
  expect(error).toMatchObject({ code: "invalid_args", message: 'Cannot end with this object: "answer" is missing' })
  expect(await run({ answer: 1 }, conversation)).toEqual({ answer: 1 })
  expect(asked).toEqual([{ other: 1 }, { answer: 1 }])
})

test("a thousand problems are not all told", async () => {
  const problems = Array.from({ length: 1000 }, (_, index) => `problem ${index}`)
  const error = await failure(run({ a: 1 }, fakeConversation({ checkOutput: () => problems })))
  expect(error.message).toContain("problem 9; and 990 more")
})
