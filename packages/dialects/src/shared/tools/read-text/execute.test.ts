import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { lineStarts } from "./execute.js"
import { readText } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("the whole file, however long, with its line endings and its byte order mark", async () => {
  const content = `\ufeffone\r\n${"x".repeat(300_000)}\nlast`
  bench = await openBench({ "a.txt": content })
  const { data } = await bench.run(readText, { path: "a.txt" })
  expect(data).toMatchObject({ content, start_line: 1, line_count: 3, total_lines: 3 })
  expect(data.path).toMatch(/^\/.*a\.txt$/)
})

test("what is not valid UTF-8 is an error and is not replaced", async () => {
  bench = await openBench({ "latin.txt": new Uint8Array([0x63, 0x61, 0x66, 0xe9]) })
  const error = await failure(bench.run(readText, { path: "latin.txt" }))
  expect([error.code, error.message]).toEqual(["unsupported", 'Cannot read "latin.txt": it is not valid UTF-8 text'])
})

test("a NUL is text, unless binary files are refused", async () => {
  bench = await openBench({ "a.bin": "a\0b" })
  expect((await bench.run(readText, { path: "a.bin" })).data.content).toBe("a\0b")
  const error = await failure(bench.run(readText, { path: "a.bin", refuse_binary: true }))
  expect(error.message).toContain("binary")
})

test("a file above the limit is too_large; a directory is unsupported", async () => {
  bench = await openBench({ "a.txt": "x".repeat(2_000), "b/c.txt": "" })
  expect((await failure(bench.run(readText, { path: "a.txt" }, { limit: 1_000 }))).code).toBe("too_large")
  expect((await failure(bench.run(readText, { path: "b" }))).code).toBe("unsupported")
})

test("lines past the end are none", async () => {
  bench = await openBench({ "a.txt": "one\n", "empty.txt": "" })
  const { data, text } = await bench.run(readText, { path: "a.txt", offset: 9, limit: 2 })
  expect(data).toMatchObject({ content: "", start_line: 2, line_count: 0, total_lines: 1 })
  expect(text).toBe("[No such line: there are 1]")
  expect((await bench.run(readText, { path: "empty.txt" })).data).toMatchObject({ start_line: 1, total_lines: 0 })
})

test("the lines of a text put together are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é") }), (text) => {
      const starts = lineStarts(text)
      expect(starts.map((start, index) => text.slice(start, starts[index + 1])).join("")).toBe(text)
    }),
  )
})
