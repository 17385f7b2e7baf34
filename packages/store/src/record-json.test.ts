import fc from "fast-check"
import { expect, test } from "vitest"
import { recordJson } from "./call-record.js"
import { maxJsonDepth } from "./redact/create-redactor.js"

test("reading the text and writing it again gives the same text, for any value", () => {
  fc.assert(
    fc.property(fc.object({ key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "7", "toString")) }), (value) => {
      const text = recordJson(value)
      expect(recordJson(JSON.parse(text))).toBe(text)
    }),
  )
})

test("what JSON cannot carry is treated as JSON.stringify treats it, or cut", () => {
  expect(recordJson({ b: undefined, a: [undefined, () => 1, Number.NaN, -0] })).toBe('{"a":[null,null,null,0]}')
  expect(recordJson({ big: 10n, at: new Date(0) })).toBe('{"big":"10","at":"1970-01-01T00:00:00.000Z"}')
  expect(recordJson(undefined)).toBe("null")
  const ring: Record<string, unknown> = {}
  ring.self = ring
  expect(recordJson(ring)).toBe('{"self":"[circular]"}')
})

test.each([maxJsonDepth + 1, 100_000])("a depth of %i is cut, whatever the engine could write", (depth) => {
  const deep = JSON.parse("[".repeat(depth) + "]".repeat(depth))
  expect(recordJson(deep)).toBe(`${"[".repeat(maxJsonDepth)}"[nested too deep to keep]"${"]".repeat(maxJsonDepth)}`)
})

test("a depth that is kept is kept whole", () => {
  const text = `${'{"a":['.repeat(maxJsonDepth / 2)}"leaf"${"]}".repeat(maxJsonDepth / 2)}`
  expect(recordJson(JSON.parse(text))).toBe(text)
})
