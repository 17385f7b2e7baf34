import { defineManifest, ToolError } from "@haft/contract"
import * as z from "zod"
import { expect, test } from "vitest"
import { validate } from "./validate.js"

const manifest = defineManifest({
  id: "sample",
  title: "Sample",
  description: "A sample.",
  input: z.strictObject({
    file_path: z.string(),
    limit: z.number().int().default(10),
    todos: z.array(z.strictObject({ status: z.enum(["pending", "done"]) })).optional(),
  }),
  output: z.object({}),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 1, past: "paged" },
  retry: "safe",
  timeoutMs: 1,
  effects: () => [],
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

test("[C2-7] arguments that fit get their defaults and are frozen", () => {
  const input = validate(manifest, { file_path: "a", todos: [{ status: "done" }] })
  expect(input).toEqual({ file_path: "a", limit: 10, todos: [{ status: "done" }] })
  expect(Object.isFrozen(input)).toBe(true)
  expect(Object.isFrozen((input.todos as object[])[0])).toBe(true)
})

test("[C2-8] an unknown key names the nearest known one", () => {
  const error = failure({ file_path: "a", limt: 3 })
  expect(error.code).toBe("invalid_args")
  expect(error.message).toBe('Cannot call "sample": "limt" is not an argument of this tool')
  expect(error.hint).toContain('Did you mean "limit"?')
})

test("[C2-192] a missing key and a wrong type say what was expected", () => {
  expect(failure({}).message).toBe('Cannot call "sample": "file_path" is missing: expected string')
  expect(failure({ file_path: 3 }).message).toContain('"file_path": expected string, received number')
  expect(failure({ file_path: "a", todos: [{ status: "x" }] }).message).toContain('"todos.0.status": expected one of')
  expect(failure("text").message).toContain("the arguments must be an object, not a string")
  expect(failure([1]).message).toContain("not an array")
})
