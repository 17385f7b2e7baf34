import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { patch } from "./index.js"

let bench: ToolBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

async function patched(content: string | Uint8Array, diff: string) {
  await bench.workspace.write({ "a.txt": content })
  const done = await bench.run(patch, { file_path: "a.txt", diff })
  const bytes = Buffer.from((await bench.workspace.readBytes("a.txt"))!)
  return { ...done, bytes, content: bytes.toString() }
}

async function refused(content: string | Uint8Array, diff: string) {
  await bench.workspace.write({ "a.txt": content })
  const error = await failure(bench.run(patch, { file_path: "a.txt", diff }))
  expect(await bench.workspace.readBytes("a.txt"), "the file is unchanged").toEqual(Buffer.from(content as string))
  return error
}

test("[C2-193] several hunks are applied and acknowledged without repeating them", async () => {
  const diff =
    "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@ x\n one\n+half\n two\n@@ -4,2 +5 @@\n-four\n five\n"
  const { content, data, text, state } = await patched("one\ntwo\nthree\nfour\nfive\n", diff)
  expect(content).toBe("one\nhalf\ntwo\nthree\nfive\n")
  expect(data).toEqual({ file_path: "a.txt", hunks: 2, added: 1, removed: 1 })
  expect(text).toBe("Patched a.txt: 2 hunks, 1 added, 1 removed")
  const second = { oldStart: 4, oldLines: 2, newStart: 5, newLines: 1, lines: ["-four", " five"] }
  expect(state()).toMatchObject({ hunks: [{ oldStart: 1 }, second] })
})

test("a line that differs is a conflict that names hunk, line, expected and found", async () => {
  const error = await refused("one\ntwo\nthree\n", "@@ -1,2 +1,2 @@\n one\n-2\n+zwei\n")
  expect(error.code).toBe("conflict")
  expect(error.message).toContain('hunk 1 (@@ -1,2 +1,2 @@) does not fit at line 2, expected "2", found "two"')
})

test("there is no fuzz: lines that are elsewhere are only pointed out", async () => {
  const error = await refused("zero\none\ntwo\n", "@@ -1,2 +1,2 @@\n one\n-two\n+2\n")
  expect([error.code, error.hint]).toEqual(["conflict", expect.stringContaining("now at line 2")])
})

test("all hunks or none", async () => {
  await refused("one\ntwo\nthree\n", "@@ -1 +1 @@\n-one\n+1\n@@ -3 +3 @@\n-four\n+4\n")
})

test.each([
  ["no hunk", "just words"],
  ["a broken header", "@@ -a +b @@\n x\n"],
  ["too few lines", "@@ -1,3 +1,3 @@\n one\n-two\n+2\n"],
  ["too many lines", "@@ -1 +1 @@\n-one\n+1\n two\n"],
  ["hunks out of order", "@@ -3 +3 @@\n-three\n+3\n@@ -1 +1 @@\n-one\n+1\n"],
  ["new ranges that do not line up", "@@ -1,1 +5,1 @@\n-one\n+1\n"],
  ["two files", "@@ -1 +1 @@\n-one\n+1\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n"],
  ["a stray line", "@@ -1 +1 @@\n-one\n+1\nand so on\n"],
  ["line 0", "@@ -0,1 +0,1 @@\n-one\n+1\n"],
])("a diff with %s is invalid", async (_, diff) => {
  expect((await refused("one\ntwo\nthree\n", diff)).code).toBe("invalid_args")
})

test("the end of the file counts: missing and unexpected final newlines are conflicts, stated ones are applied", async () => {
  const marker = "\\ No newline at end of file\n"
  expect((await patched("a\nb", `@@ -1,2 +1,2 @@\n a\n-b\n${marker}+c\n`)).content).toBe("a\nc\n")
  expect((await patched("a\nb\n", `@@ -1,2 +1,2 @@\n a\n-b\n+c\n${marker}`)).content).toBe("a\nc")
  expect((await refused("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n")).message).toContain("No newline at end of file")
  expect((await refused("a\nb\n", `@@ -1,2 +1,2 @@\n a\n-b\n${marker}+c\n`)).code).toBe("conflict")
  expect((await refused("a\nb\nc\n", `@@ -1,2 +1,2 @@\n a\n-b\n+x\n${marker}`)).code).toBe("conflict")
  expect((await refused("a\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n")).message).toContain("the end after line 1")
})

test("an empty file takes a hunk from nothing; a file with lines does not", async () => {
  expect((await patched("", "--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+one\n+two\n")).content).toBe("one\ntwo\n")
  expect((await refused("x\n", "@@ -0,0 +1 @@\n+one\n")).code).toBe("conflict")
})

test("a diff without carriage returns fits a CRLF file, and its new lines get them", async () => {
  const { content } = await patched("a\r\nb\nc\r\n", "@@ -1,3 +1,5 @@\n a\n+a1\n-b\n+b1\n+b2\n c\n")
  expect(content).toBe("a\r\na1\nb1\nb2\nc\r\n")
  expect((await patched("a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n")).content).toBe("a\r\nx\r\nb\r\n")
  // A diff that was itself carried in CRLF does not bring them into an LF file.
  expect((await patched("a\nb\n", "@@ -1,2 +1,3 @@\r\n a\r\n+x\r\n b\r\n")).content).toBe("a\nx\nb\n")
})

test("a UTF-16 file is patched as UTF-16", async () => {
  const mark = Buffer.from([0xff, 0xfe])
  const file = Buffer.concat([mark, Buffer.from("eins\r\nzwei\r\n", "utf16le")])
  const { bytes } = await patched(file, "@@ -1,2 +1,2 @@\n eins\n-zwei\n+größe\n")
  expect(bytes).toEqual(Buffer.concat([mark, Buffer.from("eins\r\ngröße\r\n", "utf16le")]))
})

test("a binary file is refused", async () => {
  const error = await refused(Buffer.from([0, 1, 2, 0, 0, 0, 0xff, 0xfe]), "@@ -1 +1 @@\n-a\n+b\n")
  expect(error.code).toBe("unsupported")
})

test("a file that does not exist is not created", async () => {
  const error = await failure(bench.run(patch, { file_path: "new.txt", diff: "@@ -0,0 +1 @@\n+one\n" }))
  expect(error.code).toBe("not_found")
  expect(await bench.workspace.readBytes("new.txt")).toBeNull()
})
