import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Envelope, ToolDefinition } from "@haft/contract"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from "vitest"
import * as z from "zod"
import { createHaft, tool } from "../src/index.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld

beforeEach(async () => {
  world = await libraryWorld({ "notes.md": "three small words\n", ".env": "KEY=abc\n", "bin.dat": "a" })
})

afterEach(() => world.remove())

const wordCount = tool({
  id: "word_count",
  description: "Counts the words of a text file.",
  input: z.object({ path: z.string() }),
  reads: ({ path }) => [path],
  execute: async ({ path }, { files }) => ({ words: (await files.readText(path)).trim().split(/\s+/).length }),
})

function failed(envelope: Envelope) {
  if (envelope.type !== "error") throw new Error(`expected an error, got ${JSON.stringify(envelope.data)}`)
  return { code: envelope.metadata.error_code, text: envelope.error_text, hint: envelope.metadata.hint }
}

const simple = { id: "one", description: "One.", input: z.object({}), execute: () => 1 }

test("ten lines are a tool: typed, judged by the rules, recorded", async () => {
  const haft = await createHaft({ roots: [world.root], home: world.home, tools: [wordCount] })
  const session = await haft.openSession()
  const envelope = await session.call("word_count", { path: "notes.md" })
  if (envelope.type !== "output") throw new Error(envelope.error_text)
  expectTypeOf(envelope.data).toEqualTypeOf<{ words: number }>()
  expect(envelope.data).toEqual({ words: 3 })
  expect((await session.result("word_count", { path: "notes.md" })).content).toEqual([
    { type: "text", text: '{"words":3}' },
  ])
  // @ts-expect-error the arguments are those of the schema
  expect(failed(await session.call("word_count", { file: "notes.md" }))).toMatchObject({ code: "invalid_args" })
  expect(failed(await session.call("word_count", { path: ".env" }))).toMatchObject({ code: "denied" })
  expect(failed(await session.call("word_count", { path: "/etc/passwd" }))).toMatchObject({ code: "denied" })
  expect(session.toolDefinitions().find(({ name }) => name === "word_count")).toEqual({
    name: "word_count",
    description: "Counts the words of a text file.",
    input_schema: {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    },
  })
  const calls = await (await haft.store()).calls(session.id)
  expect(calls.map(({ tool: id, effects }) => [id, effects.map(({ kind }) => kind)])[0]).toEqual([
    "word_count",
    ["fs.read"],
  ])
  await haft.close()
})

test("a tool without effects runs unasked, one that writes asks and can be undone", async () => {
  const person = scriptedPerson({ asks: [{ answer: "once" }] })
  const dice = tool({ ...simple, id: "dice", execute: () => "four" })
  const stamp = tool({
    id: "stamp",
    description: "Writes a stamp into a file.",
    input: z.object({ path: z.string(), text: z.string().default("ok") }),
    writes: ({ path }) => [path],
    execute: async ({ path, text }, { files }) => files.writeText(path, `${text}\n`),
    present: (_, { path }) => `Stamped ${path}`,
  })
  const haft = await world.haft({ tools: [dice, stamp], person })
  const session = await haft.openSession()
  expect((await session.result("dice", {})).content).toEqual([{ type: "text", text: "four" }])
  expect(person.asked).toHaveLength(0)
  const { envelope, content } = await session.result("stamp", { path: "notes.md" })
  expect([envelope.type, content]).toEqual(["output", [{ type: "text", text: "Stamped notes.md" }]])
  expect(person.asked).toHaveLength(1)
  expect(await readFile(join(world.root, "notes.md"), "utf8")).toBe("ok\n")
  await haft.undo()
  expect(await readFile(join(world.root, "notes.md"), "utf8")).toBe("three small words\n")
})

test("nobody there: what writes is refused, and the file stays", async () => {
  const wipe = tool({
    ...simple,
    id: "wipe",
    input: z.object({ path: z.string() }),
    writes: ({ path }) => [path],
    execute: ({ path }, { files }) => files.writeText(path, ""),
  })
  const session = await (await world.haft({ tools: [wipe] })).openSession()
  expect(failed(await session.call("wipe", { path: "notes.md" }))).toMatchObject({ code: "denied" })
  expect(await readFile(join(world.root, "notes.md"), "utf8")).toBe("three small words\n")
})

test("a tool cannot touch what its call did not name", async () => {
  const sly = tool({
    ...simple,
    id: "sly",
    input: z.object({ path: z.string() }),
    reads: ({ path }) => [path],
    execute: async (_, { files }) => files.readText(".env"),
  })
  const session = await (await world.haft({ tools: [sly] })).openSession()
  expect(failed(await session.call("sly", { path: "notes.md" }))).toMatchObject({ code: "denied" })
})

describe("schemas", () => {
  const run = async (made: ToolDefinition, input: unknown) =>
    (await (await world.haft({ tools: [made] })).openSession()).call(made.manifest.id, input)

  const properties = { text: { type: "string", minLength: 2 }, times: { type: "integer", minimum: 1 } } as const

  test("JSON Schema", async () => {
    const made = tool({
      id: "repeat",
      description: "Repeats a text.",
      input: { type: "object", properties, required: ["text"] },
      execute: ({ text, times = 1 }) => String(text).repeat(Number(times)),
    })
    expect(await run(made, { text: "ab", times: 2 })).toMatchObject({ type: "output", data: "abab" })
    expect(failed(await run(made, { text: "a" })).text).toContain("text")
    expect(failed(await run(made, { text: "ab", tims: 2 })).text).toContain("tims")
  })

  // The shape that other libraries share, without any of them.
  const standard = {
    "~standard": {
      version: 1,
      vendor: "acme",
      types: undefined as { input: { text: string }; output: { text: string; length: number } } | undefined,
      validate: (value: unknown) => {
        const { text } = value as { text: string }
        if (text === "no") return { issues: [{ message: "must not be no", path: [{ key: "text" }] }] }
        return { value: { text, length: text.length } }
      },
    },
  } as const

  test("another Standard Schema, with its JSON Schema beside it", async () => {
    const made = tool({
      id: "measure",
      description: "Measures a text.",
      input: standard,
      parameters: { type: "object", properties: { text: properties.text }, required: ["text"] },
      execute: ({ length }) => ({ length }),
    })
    expect(await run(made, { text: "four" })).toMatchObject({ type: "output", data: { length: 4 } })
    expect(failed(await run(made, { text: "no" })).text).toContain("must not be no")
    expect(failed(await run(made, {})).text).toContain("text")
  })

  test("another Standard Schema that writes itself down", async () => {
    const jsonSchema = { input: () => ({ type: "object", properties: { text: properties.text }, required: ["text"] }) }
    const made = tool({
      id: "measure",
      description: "Measures a text.",
      input: { "~standard": { ...standard["~standard"], jsonSchema } },
      execute: ({ length }) => length,
    })
    expect(await run(made, { text: "four" })).toMatchObject({ type: "output", data: 4 })
  })

  test("one that cannot be written down is refused when the tool is made", () => {
    expect(() => tool({ ...simple, id: "measure", input: standard })).toThrow(
      'Cannot make the tool "measure": "input" is a schema of acme that has no JSON Schema',
    )
  })
})

test.each([
  [{ ...simple, id: "Word Count" }, 'Cannot make the tool "Word Count": "id" must be made of small letters'],
  [{ ...simple, description: "" }, 'Cannot make the tool "one": "description" is missing'],
  [{ ...simple, input: undefined }, '"input" must be a zod object'],
  [{ ...simple, input: z.string() }, '"input" is not a schema of an object'],
  [{ ...simple, input: { type: "array" } }, '"input" is not a schema of an object'],
  [{ ...simple, input: { type: "object", properties: { a: { type: "nonsense" } } } }, '"input" is not a JSON Schema'],
  [{ ...simple, execute: undefined }, '"execute" must be a function'],
  [{ ...simple, reads: ["a"] }, '"reads" must be a function'],
  [{ ...simple, read: () => [] }, '"read" is not a part of a tool'],
  [{ ...simple, timeoutMs: 0 }, '"timeoutMs" must be more than 0'],
  [null, "Cannot make a tool of nothing"],
])("a wrong definition is refused with its field: %#", (parts, message) => {
  expect(() => tool(parts as never)).toThrow(message)
})

test.each([
  [{}, 'its "manifest" is missing'],
  [null, 'its "manifest" is missing'],
  [{ ...wordCount, present: undefined }, 'Cannot register tool "word_count": its "present" is missing'],
  [{ ...wordCount, manifest: { ...wordCount.manifest, limit: undefined } }, 'its manifest has no "limit"'],
  [{ ...wordCount, manifest: { ...wordCount.manifest, effects: undefined } }, 'its manifest has no "effects"'],
])("a definition that was not made with tool() is refused when it is registered: %#", async (made, message) => {
  await expect(createHaft({ roots: [world.root], home: world.home, tools: [made as never] })).rejects.toThrow(message)
})

test("an id that is taken is refused", async () => {
  const made = tool({ ...simple, id: "read" })
  await expect(world.haft({ tools: [made] })).rejects.toThrow(
    'Cannot register tool "read": the id "read" is already taken',
  )
})

test("results: nothing, what JSON cannot carry, a failure, and a long text", async () => {
  const tools = [
    tool({ ...simple, id: "nothing", execute: () => undefined }),
    tool({ ...simple, id: "big", execute: () => 1n }),
    tool({ ...simple, id: "broken", execute: () => Promise.reject(new Error("out of paper")) }),
    tool({ ...simple, id: "long", execute: () => ({ text: "line\n".repeat(20_000) }), present: ({ text }) => text }),
    tool({ ...simple, id: "wrong", output: z.object({ a: z.number() }), execute: () => ({ a: "x" }) as never }),
  ]
  const session = await (await world.haft({ tools })).openSession()
  expect(await session.call("nothing", {})).toMatchObject({ type: "output", data: null })
  expect(failed(await session.call("big", {})).text).toContain('Cannot use the result of "big": JSON cannot carry it')
  expect(failed(await session.call("broken", {})).text).toContain("out of paper")
  expect(failed(await session.call("wrong", {})).text).toContain("something else than the tool promises")
  const long = await session.result("long", {})
  const words = long.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
  expect(words.length).toBeLessThan(33_000)
  expect(words).toContain("open it with read")
  expect((long.envelope as { data: { text: string } }).data.text).toHaveLength(100_000)
})
