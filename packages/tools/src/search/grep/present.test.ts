import { expect, test } from "vitest"
import { present } from "./index.js"

const input = { pattern: "x", context: 0, "-i": false }

test("a time-out is said, with what was found", () => {
  const matches = [{ path: "a.ts", line: 3, text: "x" }]
  const [part] = present({ matches, match_count: 1, file_count: 1, complete: false, timed_out: true }, input)
  expect(part).toEqual({ type: "text", text: "a.ts\n3:x\n[1 match in 1 file; timed out; narrow path or glob]" })
})

test("files that could not be read are said", () => {
  const [part] = present(
    { matches: [], match_count: 0, file_count: 0, complete: true, skipped: { unreadable: 2 } },
    input,
  )
  expect(part).toEqual({ type: "text", text: '[No line matches "x"; 2 could not be read]' })
})

test("files that changed during the search are said", () => {
  const [part] = present({ matches: [], match_count: 0, file_count: 0, complete: true, skipped: { changed: 3 } }, input)
  expect(part).toEqual({
    type: "text",
    text: '[No line matches "x"; 3 changed during the search; search again]',
  })
})
