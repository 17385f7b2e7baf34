import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { readText } from "../../../shared/tools/read-text/index.js"
import { writeFile } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("the former content and what became of it are beside the result", async () => {
  bench = await openBench({ "a.txt": "one\ntwo\nthree\n" })
  const { data, text, state } = await bench.run(writeFile, { path: "a.txt", content: "one\n2\nthree\n" })
  expect(data).toEqual({ path: join(bench.workspace.path, "a.txt"), created: false, bytes_written: 12 })
  expect(state()).toEqual({
    original: "one\ntwo\nthree\n",
    hunks: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" one", "-two", "+2", " three"] }],
  })
  expect(text).toBe(`Replaced ${data.path}: 12 bytes`)
})

test("a file that was no UTF-8 text has no former content to show, the same content no hunks", async () => {
  bench = await openBench({ "a.bin": new Uint8Array([0xff, 0xfe, 0xfd]), "same.txt": "x\n" })
  expect((await bench.run(writeFile, { path: "a.bin", content: "x" })).state()).toMatchObject({ original: null })
  expect((await bench.run(writeFile, { path: "same.txt", content: "x\n" })).state()).toMatchObject({ hunks: [] })
})

test("content above the limit is too large, and a file that changed since it was read is a conflict", async () => {
  bench = await openBench({ "a.txt": "one" })
  expect((await failure(bench.run(writeFile, { path: "b.txt", content: "12345" }, { limit: 4 }))).code).toBe(
    "too_large",
  )
  await bench.run(readText, { path: "a.txt" })
  writeFileSync(join(bench.workspace.path, "a.txt"), "two")
  expect((await failure(bench.run(writeFile, { path: "a.txt", content: "x" }))).code).toBe("conflict")
})
