import fc from "fast-check"
import { expect, test } from "vitest"
import { canonicalJson } from "./json.js"

test("the order of keys has no influence", () => {
  expect(canonicalJson({ b: 1, a: { d: [1, 2], c: null } })).toBe('{"a":{"c":null,"d":[1,2]},"b":1}')
})

test("a flat object is written like any other: sorted by text, without what JSON has no value for", () => {
  expect(canonicalJson({ b: "x", 10: 1, 9: Number.NaN, a: true })).toBe('{"10":1,"9":null,"a":true,"b":"x"}')
  expect(canonicalJson({ b: undefined, a: -0, c: () => 1 })).toBe('{"a":0}')
})

test("every JSON value survives, and shuffled keys give the same text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      // JSON has one zero.
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reversed(value))).toBe(text)
    }),
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}
