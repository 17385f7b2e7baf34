import fc from "fast-check"
import { expect, test } from "vitest"
import { parsePartialJson } from "./partial-json.js"

test("arguments are known as far as they were written", () => {
  expect(parsePartialJson('{"file_path":"src/a.ts","content":"one\\ntw')).toEqual({
    file_path: "src/a.ts",
    content: "one\ntw",
  })
  expect(parsePartialJson('{"a":1,"b":[true,{"c":null},"x')).toEqual({ a: 1, b: [true, { c: null }, "x"] })
  // A number or a word that ends with the text may go on, and half of an escape says nothing yet.
  expect(parsePartialJson('{"a":"é\\u00')).toEqual({ a: "é" })
  expect(parsePartialJson('{"a":tru')).toEqual({})
  expect(parsePartialJson("")).toEqual({})
  expect(parsePartialJson("[1,2]")).toEqual({})
  const hostile = parsePartialJson('{"__proto__":{"x":1}}')
  expect(JSON.stringify(hostile)).toBe('{"__proto__":{"x":1}}')
  expect(hostile.x).toBeUndefined()
})

const member = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })

test("a whole object is read as JSON reads it", () => {
  fc.assert(
    fc.property(member, (value) => {
      const json = JSON.stringify(value)
      expect(parsePartialJson(json)).toEqual(JSON.parse(json))
    }),
  )
})

test("every beginning of an object gives a part of it, and strings that are beginnings", () => {
  fc.assert(
    fc.property(member, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
      const json = JSON.stringify(value)
      const whole = JSON.parse(json) as Record<string, unknown>
      const part = parsePartialJson(json.slice(0, Math.floor(json.length * share)))
      for (const [key, known] of Object.entries(part)) {
        expect(Object.keys(whole)).toContain(key)
        // Half of a surrogate pair is written as an escape, and a pair may be cut between its halves.
        if (typeof known === "string") expect(String(whole[key]).startsWith(known)).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test("no text makes it throw or take long, nested or not", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(typeof parsePartialJson(text)).toBe("object")
      expect(typeof parsePartialJson(`{"a":${text}`)).toBe("object")
    }),
  )
  const started = performance.now()
  parsePartialJson(`{"a":${"[".repeat(1_000_000)}`)
  parsePartialJson(`{"a":"${'\\"'.repeat(1_000_000)}`)
  parsePartialJson(`{${'"a":1,'.repeat(500_000)}`)
  expect(performance.now() - started).toBeLessThan(5_000)
})
