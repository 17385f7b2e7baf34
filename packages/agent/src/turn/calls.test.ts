import fc from "fast-check"
import { expect, test } from "vitest"
import { parseInput } from "./calls.js"

test.each([
  ["", {}],
  ["  \n", {}],
  ['{"path":"a.txt"}', { path: "a.txt" }],
  ['{"path":"a.txt",}', { path: "a.txt" }],
  ["{'path': 'a.txt'}", { path: "a.txt" }],
  ['```json\n{"path":"a.txt"}\n```', { path: "a.txt" }],
  ['{"path":"a.txt" /* the file */}', { path: "a.txt" }],
  ['{"text":"it\'s {open"}', { text: "it's {open" }],
])("the arguments %j are read", (input, expected) => {
  expect(parseInput(input)).toEqual(expected)
})

test.each([
  '{"file_path":"a.ts","content":"function a() {}',
  '{"file_path":"a.ts","content":"const a = 1',
  '{"file_path":"a.ts"',
  "{'content': 'half",
  '{"a":[1,2}',
  "not json",
  "<html>",
])("arguments that break off or are no JSON stay a text: %j", (input) => {
  expect(parseInput(input)).toEqual(expect.stringContaining(input.slice(0, 10)))
})

test("no beginning of arguments is taken for the whole of them", () => {
  let seen = 0
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string()))), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value)
      const at = 1 + (cut % Math.max(1, text.length - 1))
      if (at >= text.length) return
      seen += 1
      expect(typeof parseInput(text.slice(0, at))).toBe("string")
    }),
    { numRuns: 2000 },
  )
  expect(seen).toBeGreaterThan(1000)
})
