import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { edit } from "../edit/index.js"
import { read } from "../read/index.js"
import { encodeText, maxTextBytes } from "../shared/text/index.js"
import { write } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("[C2-193] the result acknowledges and never repeats the content", async () => {
  bench = await openBench()
  const content = "secret sauce\n".repeat(1000)
  const { data, text } = await bench.run(write, { file_path: "deep/er/a.txt", content })
  expect(data).toEqual({ file_path: "deep/er/a.txt", created: true, bytes_written: content.length })
  expect(text).toBe(`Created deep/er/a.txt: ${content.length} bytes`)
  expect(await bench.workspace.readText("deep/er/a.txt")).toBe(content)
})

test("one byte is one byte", async () => {
  bench = await openBench()
  expect((await bench.run(write, { file_path: "a.txt", content: "x" })).text).toBe("Created a.txt: 1 byte")
})

test.each(["new/", "new/.", "a/b/.."])("%s names a directory, so nothing is written", async (file_path) => {
  bench = await openBench()
  const error = await failure(bench.run(write, { file_path, content: "x" }))
  expect([error.code, error.message]).toEqual(["unsupported", expect.stringContaining("it names a directory")])
  expect(readdirSync(bench.workspace.path)).toEqual([])
})

test("bytes and line endings are exactly those given", async () => {
  bench = await openBench({ "a.txt": "old" })
  const content = "a\r\nb\nc\rd\0é汉😀 no final newline"
  expect((await bench.run(write, { file_path: "a.txt", content })).data).toMatchObject({ created: false })
  expect(await bench.workspace.readText("a.txt")).toBe(content)
})

test("mode bits of a replaced file stay", async () => {
  bench = await openBench({ "run.sh": "old" })
  const path = join(bench.workspace.path, "run.sh")
  chmodSync(path, 0o755)
  await bench.run(write, { file_path: "run.sh", content: "new" })
  expect(statSync(path).mode & 0o777).toBe(0o755)
})

test("a replaced file of another encoding is told, since this one is UTF-8", async () => {
  bench = await openBench({ "wide.txt": await encodeText("\ufeffold text\n", "utf-16le"), "plain.txt": "old" })
  const { data, text } = await bench.run(write, { file_path: "wide.txt", content: "new\n" })
  expect(data.former_encoding).toBe("utf-16le")
  expect(text).toContain("the former file was utf-16le")
  expect((await bench.run(write, { file_path: "plain.txt", content: "é" })).data.former_encoding).toBeUndefined()
})

test("[C2-31] [C2-32] content above the text bound is too_large and nothing is written", async () => {
  bench = await openBench()
  const error = await failure(bench.run(write, { file_path: "a.txt", content: "x".repeat(maxTextBytes + 1) }))
  expect(error.code).toBe("too_large")
  expect(error.message).toContain(String(maxTextBytes))
  expect(await bench.workspace.readText("a.txt")).toBeNull()
})

test("half of a surrogate pair is refused instead of being replaced silently", async () => {
  bench = await openBench()
  expect((await failure(bench.run(write, { file_path: "a.txt", content: "a\ud800b" }))).code).toBe("unsupported")
  expect(await bench.workspace.readText("a.txt")).toBeNull()
})

test("a file that changed since it was read is a conflict that shows what changed", async () => {
  bench = await openBench({ "a.txt": "one\ntwo\n" })
  await bench.run(read, { file_path: "a.txt" })
  writeFileSync(join(bench.workspace.path, "a.txt"), "one\nTWO\n")
  const error = await failure(bench.run(write, { file_path: "a.txt", content: "mine\n" }))
  expect(error.code).toBe("conflict")
  expect(error.message).toContain("TWO")
  expect(await bench.workspace.readText("a.txt")).toBe("one\nTWO\n")
})

test("[C2-27] what was just written may be edited and written again without a read", async () => {
  bench = await openBench()
  await bench.run(write, { file_path: "a.txt", content: "one\n" })
  await bench.run(edit, { file_path: "a.txt", old_string: "one", new_string: "two" })
  await bench.run(write, { file_path: "a.txt", content: "three\n" })
  expect(await bench.workspace.readText("a.txt")).toBe("three\n")
})

test("a path outside the roots is refused and nothing is written", async () => {
  bench = await openBench()
  const outside = join(bench.workspace.path, "..", `outside-${basename(bench.workspace.path)}.txt`)
  for (const file_path of [`../${basename(outside)}`, outside]) {
    expect((await failure(bench.run(write, { file_path, content: "x" }))).code).toBe("denied")
    expect(existsSync(outside)).toBe(false)
  }
  expect(readdirSync(bench.workspace.path)).toEqual([])
})
