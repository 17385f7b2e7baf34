import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { maxTextBytes } from "../../../../../tools/src/files/shared/text/index.js"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { readText } from "../../../shared/tools/read-text/index.js"
import { writeText } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("no parent is made, and nothing is written", async () => {
  bench = await openBench({ "file.txt": "x" })
  const error = await failure(bench.run(writeText, { path: "a/b/c.txt", content: "x" }))
  expect([error.code, error.message]).toEqual([
    "not_found",
    'Cannot write "a/b/c.txt": its folder does not exist; make the folder first',
  ])
  expect((await failure(bench.run(writeText, { path: "file.txt/c.txt", content: "x" }))).code).not.toBe("internal")
  expect(readdirSync(bench.workspace.path)).toEqual(["file.txt"])
})

test("a file that changed since it was read is replaced all the same", async () => {
  bench = await openBench({ "a.txt": "one\n" })
  await bench.run(readText, { path: "a.txt" })
  writeFileSync(join(bench.workspace.path, "a.txt"), "two\n")
  const { data, effects } = await bench.run(writeText, { path: "a.txt", content: "three\n" })
  expect(data).toEqual({ path: join(bench.workspace.path, "a.txt"), bytes_written: 6 })
  expect(await bench.workspace.readText("a.txt")).toBe("three\n")
  expect(effects).toContainEqual(expect.objectContaining({ kind: "fs.write", kept: true }))
})

test("bytes are counted as UTF-8; an absolute path works", async () => {
  bench = await openBench()
  const path = join(bench.workspace.path, "a.txt")
  expect((await bench.run(writeText, { path, content: "é汉😀" })).data).toEqual({ path, bytes_written: 9 })
})

test("too much text and a place outside are refused", async () => {
  bench = await openBench()
  const huge = "x".repeat(maxTextBytes + 1)
  expect((await failure(bench.run(writeText, { path: "a.txt", content: huge }))).code).toBe("too_large")
  expect((await failure(bench.run(writeText, { path: "../a.txt", content: "x" }))).code).toBe("denied")
  expect(readdirSync(bench.workspace.path)).toEqual([])
})
