import fc from "fast-check"
import { expect, test } from "vitest"
import { maxJsonDepth } from "../redact/index.js"
import { canonicalJson } from "./canonical-json.js"

test("equal values have equal text, whatever the order of their keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
    }),
  )
})

test("the text is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value))
    }),
  )
})

test("what JSON cannot carry is treated as JSON.stringify treats it", () => {
  const value = { b: undefined, a: [undefined, () => 1, Number.NaN, -0], date: new Date(0) }
  expect(canonicalJson(value)).toBe('{"a":[null,null,null,0],"date":"1970-01-01T00:00:00.000Z"}')
  expect(canonicalJson(10n)).toBe('"10"')
})

test("a key named __proto__ is an ordinary key", () => {
  expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":1}'))).toBe('{"__proto__":{"x":1},"a":1}')
})

test("cycles and extreme depth are cut", () => {
  const ring: Record<string, unknown> = {}
  ring.self = ring
  expect(canonicalJson(ring)).toBe('{"self":"[circular]"}')
  const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000))
  expect(canonicalJson(deep)).toBe(`${"[".repeat(maxJsonDepth)}"[nested too deep to keep]"${"]".repeat(maxJsonDepth)}`)
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const)
  return Object.fromEntries(entries.reverse())
}
