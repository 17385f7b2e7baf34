import { defineManifest, ToolError } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import * as z from "zod"
import { validate } from "./call-request.js"

const manifest = defineManifest({
  id: "sample",
  title: "Sample",
  description: "A sample.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Existing file"),
    limit: z.number().int().min(1).max(50).default(10),
    ratio: z.number().optional(),
    deep: z.boolean().default(false),
    names: z.array(z.string().min(1)).max(3).optional(),
    todos: z
      .array(z.strictObject({ status: z.enum(["pending", "done"]), place: z.int().optional() }))
      .min(1)
      .optional(),
    headers: z.record(z.string(), z.string()).optional(),
    engines: z.union([z.array(z.string().min(1)), z.string().min(1)]).optional(),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    size: z.union([z.number(), z.boolean()]).optional(),
    step: z
      .union([
        z.strictObject({ type: z.literal("add"), text: z.string() }),
        z.strictObject({ type: z.literal("remove"), index: z.int() }),
      ])
      .optional(),
    maybe: z.string().nullable().optional(),
  }),
  output: z.object({}),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 1, past: "paged" },
  retry: "safe",
  timeoutMs: 1,
  effects: () => [],
  habits: { cwd: 'Put "cd DIR &&" in front of the command' },
})

function failure(raw: unknown): ToolError {
  try {
    validate(manifest, raw)
  } catch (error) {
    if (ToolError.is(error)) return error
    throw error
  }
  throw new Error("it did not fail")
}

const defaults = { file_path: "a", limit: 10, deep: false }

test("[C2-7] arguments that fit get their defaults and are frozen", () => {
  const { input } = validate(manifest, { file_path: "a", todos: [{ status: "done" }] })
  expect(input).toEqual({ ...defaults, todos: [{ status: "done" }] })
  expect(Object.isFrozen(input)).toBe(true)
  expect(Object.isFrozen((input.todos as object[])[0])).toBe(true)
})

test("repaired arguments are frozen too, at every depth", () => {
  const { input } = validate(manifest, { file_path: "a", todos: '[{"status":"done"}]' })
  expect(Object.isFrozen(input)).toBe(true)
  expect(Object.isFrozen(input.todos)).toBe(true)
  expect(Object.isFrozen((input.todos as object[])[0])).toBe(true)
})

// biome-ignore format: one line for each habit
test.each<[string, unknown, object]>([
  ["null for an optional key", { file_path: "a", ratio: null, todos: null }, {}],
  ["null for a key with a default", { file_path: "a", limit: null, deep: null }, {}],
  ["null deep inside", { file_path: "a", todos: [{ status: "done", place: null }] }, { todos: [{ status: "done" }] }],
  ["null where null is a value", { file_path: "a", maybe: null, limit: "3" }, { maybe: null, limit: 3 }],
  ["a number as text", { file_path: "a", limit: "7", ratio: "-1.5e2" }, { limit: 7, ratio: -150 }],
  ["a whole number with a point", { file_path: "a", limit: "7.0" }, { limit: 7 }],
  ["a number as text deep inside", { file_path: "a", todos: [{ status: "done", place: "2" }] }, { todos: [{ status: "done", place: 2 }] }],
  ["a flag as text", { file_path: "a", deep: "true" }, { deep: true }],
  ["a flag as Python writes it", { file_path: "a", deep: "False" }, { deep: false }],
  ["a text where a text is allowed too", { file_path: "a", value: "7", limit: "2" }, { value: "7", limit: 2 }],
  ["a flag where numbers and flags are taken", { file_path: "a", size: "true" }, { size: true }],
  ["a number where numbers and flags are taken", { file_path: "a", size: "3" }, { size: 3 }],
  ["a list as JSON text", { file_path: "a", names: '["x","y"]' }, { names: ["x", "y"] }],
  ["one text for a list of texts", { file_path: "a", names: "x y" }, { names: ["x y"] }],
  ["a text where a list or a text is taken", { file_path: "a", engines: "ddg,wiki", limit: "2" }, { engines: "ddg,wiki", limit: 2 }],
  ["one object for a list of objects", { file_path: "a", todos: { status: "done" } }, { todos: [{ status: "done" }] }],
  ["a list of objects as JSON text", { file_path: "a", todos: ' [{"status":"done","place":"1"}]' }, { todos: [{ status: "done", place: 1 }] }],
  ["an object as JSON text", { file_path: "a", headers: '{"a":"b"}' }, { headers: { a: "b" } }],
  ["one of several objects", { file_path: "a", step: { type: "remove", index: "4" } }, { step: { type: "remove", index: 4 } }],
  ["all arguments as JSON text", '{"file_path":"a","limit":"4"}', { limit: 4 }],
])("%s is taken", (_name, raw, expected) => {
  const { input, notes } = validate(manifest, raw)
  expect(input).toEqual({ ...defaults, ...expected })
  expect(notes).toEqual([])
})

test.each(["description", "explanation", "reason", "purpose", "title", "thought"])(
  "%s is left out with a note",
  (key) => {
    const { input, notes } = validate(manifest, { file_path: "a", [key]: "because" })
    expect(input).toEqual(defaults)
    expect(notes).toEqual([`"${key}" is not an argument of this tool and was left out`])
  },
)

test("a key of the tool itself is never left out", () => {
  const withReason = { ...manifest, input: z.strictObject({ reason: z.string(), count: z.int().optional() }) }
  expect(validate(withReason, { reason: "r", count: "3" })).toEqual({ input: { reason: "r", count: 3 }, notes: [] })
  expect(() => validate(withReason, { reason: null })).toThrow('"reason" is missing: a string')
})

// biome-ignore format: one line for each
test.each<[string, unknown, string]>([
  ["null for a required key", { file_path: null }, '"file_path" is missing: a string'],
  ["a missing key", {}, '"file_path" is missing: a string'],
  ["an empty text", { file_path: "" }, '"file_path" must not be empty'],
  ["a number for a text", { file_path: 3 }, '"file_path" must be a string, not 3'],
  ["a text that is no number", { file_path: "a", limit: "many" }, '"limit" must be a number, not "many"'],
  ["a number in another notation", { file_path: "a", limit: "0x10" }, '"limit" must be a number, not "0x10"'],
  ["a number with a leading zero", { file_path: "a", limit: "010" }, '"limit" must be a number, not "010"'],
  ["a number too long to be kept", { file_path: "a", ratio: "9007199254740993" }, '"ratio" must be a number, not "9007199254740993"'],
  ["a broken number", { file_path: "a", limit: 1.5 }, '"limit" must be a whole number, not 1.5'],
  ["a number below", { file_path: "a", limit: 0 }, '"limit" must be at least 1, not 0'],
  ["a number above, as text", { file_path: "a", limit: "51" }, '"limit" must be at most 50, not 51'],
  ["a word that is no flag", { file_path: "a", deep: "yes" }, '"deep" must be true or false, not "yes"'],
  ["a number for a flag", { file_path: "a", deep: 1 }, '"deep" must be true or false, not 1'],
  ["a text with commas for a list", { file_path: "a", names: "x,y" }, '"names" must be a list, not "x,y"'],
  ["a text that begins like a list", { file_path: "a", names: "[id]" }, '"names" must be a list, not "[id]"'],
  ["too many", { file_path: "a", names: ["a", "b", "c", "d"] }, '"names" must have at most 3 entries'],
  ["too few", { file_path: "a", todos: [] }, '"todos" must have at least one entry'],
  ["none of the words", { file_path: "a", todos: [{ status: "x" }] }, '"todos.0.status" must be one of "pending", "done", not "x"'],
  ["none of the kinds", { file_path: "a", size: [] }, '"size" must be a number or true or false, not a list'],
  ["null in a table", { file_path: "a", headers: { a: null } }, '"headers.a" is missing: a string'],
  ["a nested table", { file_path: "a", headers: { a: { b: "c" } } }, '"headers.a" must be a string, not an object'],
  ["a text", "text", "the arguments must be an object, and this text is not a JSON object"],
  ["a list", [1], "the arguments must be an object, not a list"],
  ["a list as text", "[1]", "the arguments must be an object, and this text is not a JSON object"],
  ["an explanation that is no text", { file_path: "a", reason: {} }, '"reason" is not an argument of this tool'],
  ["an explanation deep inside", { file_path: "a", todos: [{ status: "done", reason: "r" }] }, '"todos.0.reason" is not an argument of this tool'],
])("[C2-192] %s is refused in our words", (_name, raw, words) => {
  expect(failure(raw).message).toBe(`Cannot call "sample": ${words}`)
})

test("[C2-8] an unknown key names the nearest known one, and the real ones", () => {
  const error = failure({ file_path: "a", limt: 3 })
  expect(error.code).toBe("invalid_args")
  expect(error.message).toBe('Cannot call "sample": "limt" is not an argument of this tool')
  expect(error.hint).toContain('Use "limit" instead of "limt". It takes "file_path" (required), "limit", "ratio"')
})

// biome-ignore format: one line for each
test.each([
  ["cwd", 'Put "cd DIR &&" in front of the command'],
  ["path", 'Use "file_path" (Existing file) instead of "path"'],
  ["filePath", 'Use "file_path" (Existing file) instead of "filePath"'],
  ["max_results", 'Use "limit" instead of "max_results"'],
  ["tasks", 'Use "todos" instead of "tasks"'],
])("%s: the hint says how to say it", (key, way) => {
  expect(failure({ file_path: "a", [key]: "x" }).hint).toMatch(way)
})

test("an unknown key deep inside names the keys of its place", () => {
  const { hint } = failure({ file_path: "a", todos: [{ status: "done", position: 1 }] })
  expect(hint).toContain('It takes "status" (required), "place"')
  expect(hint).not.toContain("file_path")
})

test("programs get the validator's own words in the details", () => {
  expect(failure({ file_path: "a", limit: 0 }).details).toEqual({
    problems: [
      {
        path: "limit",
        text: '"limit" must be at least 1, not 0',
        code: "too_small",
        message: "Too small: expected number to be >=1",
      },
    ],
  })
})

test("what is said stays short, however much is wrong", () => {
  const names = Array.from({ length: 20_000 }, () => 1)
  const keys = Object.fromEntries(names.map((_, index) => [`key${index}${"x".repeat(1_000)}`, 1]))
  for (const raw of [
    { file_path: "a", names },
    { file_path: "a", ...keys },
    { file_path: "a", limit: "x".repeat(1e6) },
  ]) {
    const { message, hint, details } = failure(raw)
    expect(message.length + hint!.length + JSON.stringify(details).length).toBeLessThan(6_000)
  }
  expect(failure({ file_path: "a", todos: names.slice(0, 100).map(() => ({})) }).message).toMatch(/; and 92 more$/)
})

test("a key that is called like a part of every object changes nothing", () => {
  const raw = JSON.parse('{"file_path":"a","limit":"3","__proto__":{"deep":true}}')
  expect(failure(raw).message).toContain('"__proto__" is not an argument of this tool')
})

test("arguments that fit are taken as they are: nothing is repaired in them", () => {
  const values = fc.record({
    file_path: fc.string({ minLength: 1 }),
    value: fc.oneof(fc.string(), fc.constantFrom("1", "true", "null", "[]")),
    names: fc.array(fc.constantFrom("1", "true", '["a"]', "null", "x,y"), { maxLength: 3 }),
    headers: fc.dictionary(fc.constantFrom("description", "reason", "limit"), fc.constantFrom("1", "true", "{}")),
  })
  let reached = 0
  fc.assert(
    fc.property(values, (raw) => {
      expect(validate(manifest, raw).input).toEqual({ limit: 10, deep: false, ...raw })
      // The same values stay the same when something else in the call is repaired.
      expect(validate(manifest, { ...raw, limit: "10" }).input).toEqual({ limit: 10, deep: false, ...raw })
      reached++
    }),
  )
  expect(reached).toBeGreaterThan(50)
})
