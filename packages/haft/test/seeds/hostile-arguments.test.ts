import type { AnyDialectTool, Dialect } from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { type ShellWorld, shellWorld } from "../shell-world.js"

let world: ShellWorld
// Nobody is there to ask, so that nothing that would change or reach anything runs.
beforeAll(async () => {
  world = await shellWorld({ "a.txt": "one\n" })
})
afterAll(() => world[Symbol.asyncDispose]())

/** What an error looks like in each system; gives its words. */
const errorShapes: Readonly<Record<string, (value: unknown) => string>> = {
  asyar(value) {
    const { error } = value as { error: { code: string; message: string } }
    expect(Object.keys(value as object)).toEqual(["error"])
    expect(Object.keys(error)).toEqual(["code", "message"])
    expect(error.code).not.toBe("internal")
    return error.message
  },
  claw(value) {
    expect(value).toBeTypeOf("string")
    return value as string
  },
  a3s(value) {
    const { content, success, metadata } = value as { content: string; success: boolean; metadata: object }
    expect(Object.keys(value as object)).toEqual(["content", "success", "metadata"])
    expect([success, typeof metadata]).toEqual([false, "object"])
    return content
  },
  lobe(value) {
    const { success, content, error } = value as {
      success: boolean
      content: string
      error: { type: string; message: string; body?: { code?: string } }
    }
    expect(Object.keys(value as object)).toEqual(["success", "content", "error"])
    expect(success).toBe(false)
    expect(error.type).toMatch(/^[A-Z][A-Za-z]+$/)
    expect(error.body?.code).not.toBe("internal")
    expect(content).toContain(error.message)
    return content
  },
}

interface PropertySchema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly PropertySchema[]
}

const schemaOf = (row: AnyDialectTool) =>
  z.toJSONSchema(row.input, { io: "input" }) as {
    readonly properties?: Readonly<Record<string, PropertySchema>>
    readonly required?: readonly string[]
  }
const typesOf = ({ type, anyOf }: PropertySchema): readonly string[] => [
  ...(anyOf ?? []).flatMap(typesOf),
  ...(type === undefined ? [] : [type].flat()),
]

/** Ids of ours that a model of that system was never given. */
const foreignIds = ({ tools }: Dialect) =>
  tools
    .flatMap(({ tool }) => (typeof tool === "string" ? [tool] : []))
    .filter((id) => id.includes("_") && !tools.some(({ name }) => name === id))

describe.each(Object.keys(errorShapes))("wrong and hostile arguments of %s", (name) => {
  let dialect: Dialect
  let foreign: RegExp | undefined
  beforeAll(async () => {
    dialect = (await dialectNamed(name))!
    const ids = foreignIds(dialect)
    foreign = ids.length > 0 ? new RegExp(`\\b(?:${ids.join("|")})\\b`) : undefined
  })

  /** Calls as the system's host does. Gives the words of the error, or undefined where the call worked. */
  const refusal = async (row: AnyDialectTool, input: unknown): Promise<string | undefined> => {
    const { projection } = await world.session.callIn(dialect, row.name, input)
    if (projection.success) return undefined
    const words = errorShapes[name]!(projection.value)
    expect(words, row.name).toMatch(/\S/)
    expect(words, row.name).not.toMatch(/ZodError|\bat .*\.[jt]s:\d|\[object Object\]|undefined is not/)
    if (foreign) expect(words, row.name).not.toMatch(foreign)
    return words
  }

  test("what is no object is refused by every tool that needs an argument", async () => {
    let refused = 0
    for (const row of dialect.tools) {
      const { required = [] } = schemaOf(row)
      if (required.length === 0) continue
      for (const input of [null, undefined, [], [1, 2], "text", 7, true, {}]) {
        const words = await refusal(row, input)
        expect(words, `${row.name} ${JSON.stringify(input)}`).toBeDefined()
        refused += 1
      }
      const named = await refusal(row, {})
      expect(
        required.some((key) => named!.includes(key)),
        `${row.name}: ${named}`,
      ).toBe(true)
    }
    expect(refused).toBeGreaterThan(30)
  }, 120_000)

  test("a value of another kind is refused with the name of its argument", async () => {
    let refused = 0
    for (const row of dialect.tools) {
      const { properties = {}, required = [] } = schemaOf(row)
      const kinds = new Map(Object.entries(properties).map(([key, schema]) => [key, typesOf(schema)]))
      for (const [key, types] of kinds) {
        if (types.length === 0) continue
        const wrong = types.includes("object") ? [7, [[]]] : [{ nested: { deep: [1] } }]
        for (const value of wrong) {
          const rest = Object.fromEntries(
            required.filter((each) => each !== key).map((each) => [each, fitting(kinds.get(each)!)]),
          )
          const words = await refusal(row, { ...rest, [key]: value })
          expect(words, `${row.name} ${key} ${JSON.stringify(value)}`).toContain(key)
          refused += 1
        }
      }
    }
    expect(refused).toBeGreaterThan(10)
  }, 120_000)

  test("keys of prototypes, keys that nobody knows, huge and deep values change nothing and break nothing", async () => {
    const deep = JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`) as unknown
    let calls = 0
    for (const row of dialect.tools) {
      const keys = Object.keys(schemaOf(row).properties ?? {})
      const inputs = [
        JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
        { toString: 1, hasOwnProperty: 2, valueOf: 3 },
        Object.fromEntries(keys.map((key) => [key, "x".repeat(200_000)])),
        Object.fromEntries(keys.map((key) => [key, deep])),
        Object.fromEntries(keys.map((key) => [key, Number.MAX_VALUE])),
        Object.fromEntries(keys.map((key) => [key, -1])),
        Object.fromEntries(keys.map((key) => [key, "\0\u202e\ud800"])),
        Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, index])),
      ]
      for (const input of inputs) {
        // What is valid and waits is given up; nothing here may wait for long.
        const words = await refusal(row, input)
        if (words !== undefined) expect(words.length, row.name).toBeLessThan(20_000)
        calls += 1
      }
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    }
    expect(calls).toBe(dialect.tools.length * 8)
  }, 180_000)

  test("anything at all is answered, or refused in the system's own shape", async () => {
    let refused = 0
    for (const row of dialect.tools) {
      // These wait as long as they are told to.
      if (["Sleep", "box"].includes(row.name)) continue
      const keys = Object.keys(schemaOf(row).properties ?? {})
      const value = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant("../../../etc/shadow"))
      const input = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom("__proto__", "nope", ...keys), value))
      await fc.assert(
        fc.asyncProperty(input, async (given) => {
          if ((await refusal(row, given)) !== undefined) refused += 1
        }),
        { numRuns: 20 },
      )
    }
    expect(refused).toBeGreaterThan(70)
  }, 240_000)
})

/** A value of these kinds that names nothing that is there. */
function fitting(types: readonly string[]): unknown {
  if (types.includes("string")) return "nothing"
  if (types.includes("array")) return []
  if (types.includes("object")) return {}
  return types.includes("boolean") ? false : 1
}
