import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { encodeText } from "../shared/text/index.js"
import { read } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("")

test("the model reads numbered lines, programs the raw text", async () => {
  bench = await openBench({ "a.txt": "one\r\ntwo\n" })
  const { data, text } = await bench.run(read, { file_path: "a.txt" })
  expect(data).toEqual({
    content: "one\r\ntwo\n",
    start_line: 1,
    line_count: 2,
    eof: true,
    total_lines: 2,
    encoding: "utf-8",
    media_type: "text/plain",
  })
  expect(text).toBe("     1\tone\n     2\ttwo")
})

test("a page tells where to go on", async () => {
  bench = await openBench({ "a.txt": lines(30, (index) => `line ${index}\n`) })
  const { data, text } = await bench.run(read, { file_path: "a.txt", offset: 9, limit: 2 })
  expect(data).toMatchObject({
    content: "line 9\nline 10\n",
    start_line: 10,
    line_count: 2,
    eof: false,
    next_offset: 11,
  })
  expect(data.total_lines).toBeUndefined()
  expect(text).toBe("    10\tline 9\n    11\tline 10\n[Lines 10 to 11; go on with offset=11]")
})

test("an offset at the end is an answer, one beyond it names the line count", async () => {
  bench = await openBench({ "a.txt": "one\ntwo", "one.txt": "x" })
  expect((await bench.run(read, { file_path: "a.txt", offset: 2 })).text).toBe("[End of file: 2 lines]")
  const error = await failure(bench.run(read, { file_path: "a.txt", offset: 3 }))
  expect(error.code).toBe("invalid_args")
  expect(error.message).toContain("the file has 2 lines")
  expect((await failure(bench.run(read, { file_path: "one.txt", offset: 2 }))).message).toContain(
    "from line 3 on: the file has 1 line",
  )
  const bytes = await failure(bench.run(read, { file_path: "a.txt", byte_offset: 8 }))
  expect([bytes.code, bytes.message]).toEqual(["invalid_args", expect.stringContaining("the file has 7 bytes")])
})

test("an empty file is an answer with a note", async () => {
  bench = await openBench({ "a.txt": "" })
  const { data, text } = await bench.run(read, { file_path: "a.txt" })
  expect(data).toMatchObject({ content: "", line_count: 0, eof: true, total_lines: 0 })
  expect(text).toBe("[The file is empty]")
})

test("[C2-48] a read holds at most its limit and goes on in whole lines, not through a sidecar", async () => {
  const whole = lines(9_000, (index) => `${index}: ${"x".repeat(90)}\n`)
  bench = await openBench({ "big.log": whole })
  let joined = ""
  let offset: number | undefined = 0
  while (offset !== undefined) {
    const { data } = await bench.run(read, { file_path: "big.log", offset, limit: 100_000 })
    expect(Buffer.byteLength(data.content)).toBeLessThanOrEqual(200_000)
    expect(data.content.endsWith("\n")).toBe(true)
    joined += data.content
    offset = data.next_offset
    if (offset === undefined) expect(data).toMatchObject({ eof: true, total_lines: 9_000 })
  }
  expect(joined).toBe(whole)
})

test.each([1, 3])(
  "[C2-48] a line longer than a page is cut at a character of %i bytes and read on by bytes",
  async (size) => {
    const character = size === 1 ? "x" : "汉"
    const whole = `${character.repeat(500_000 / size)}\nend\n`
    bench = await openBench({ "long.txt": whole })
    const first = await bench.run(read, { file_path: "long.txt" })
    expect(first.data.eof).toBe(false)
    expect(first.data.next_offset).toBeUndefined()
    expect(first.text).toContain(
      `go on inside it with byte_offset=${first.data.next_byte_offset}, or with the next line at offset=1]`,
    )
    let joined = first.data.content
    let byteOffset: number | undefined = first.data.next_byte_offset
    while (byteOffset !== undefined) {
      const { data } = await bench.run(read, { file_path: "long.txt", byte_offset: byteOffset })
      joined += data.content
      byteOffset = data.next_byte_offset
    }
    expect(joined).toBe(whole)
    expect((await bench.run(read, { file_path: "long.txt", offset: 1 })).data.content).toBe("end\n")
  },
)

test("lines and bytes are not asked for at once", async () => {
  bench = await openBench({ "a.txt": "one\n" })
  const error = await failure(bench.run(read, { file_path: "a.txt", offset: 1, byte_offset: 1 }))
  expect(error.code).toBe("invalid_args")
})

test.each(["utf-16le", "utf-16be", "windows-1251", "gbk", "shift_jis"] as const)(
  "text in %s is read, small and large",
  async (encoding) => {
    const sentence = {
      "windows-1251": "Съешь же ещё этих мягких французских булок, да выпей чаю",
      gbk: "我们在这里写一段普通的中文文字，用来检查编码",
      shift_jis: "これは日本語のテキストです。カタカナもあります",
      "utf-16le": "naïve 汉 😀",
      "utf-16be": "naïve 汉 😀",
    }[encoding]
    const bom = encoding.startsWith("utf-16") ? "\ufeff" : ""
    const small = `${sentence}\r\nsecond ${sentence}\n`
    const large = lines(12_000, (index) => `${index} ${sentence}\n`)
    bench = await openBench({
      "small.txt": await encodeText(bom + small, encoding),
      "large.txt": await encodeText(bom + large, encoding),
    })
    const { data, text } = await bench.run(read, { file_path: "small.txt" })
    expect(data).toMatchObject({ content: small, encoding, line_count: 2, eof: true })
    expect(text).toContain(bom ? `[Encoding: ${encoding}]` : `[Encoding guessed: ${encoding}]`)
    const deep = await bench.run(read, { file_path: "large.txt", offset: 11_000, limit: 1 })
    expect(deep.data).toMatchObject({ content: `11000 ${sentence}\n`, encoding, next_offset: 11_001 })
    const page = await bench.run(read, { file_path: "large.txt", offset: 0, limit: 12_000 })
    expect(Buffer.byteLength(page.data.content)).toBeLessThanOrEqual(200_000)
    expect(large.startsWith(page.data.content)).toBe(true)
  },
)

test("a large file whose foreign bytes come late is decoded where they are", async () => {
  const ascii = lines(8_000, () => `${"plain ".repeat(10)}\n`)
  const russian = await encodeText("Съешь же ещё этих мягких французских булок\n".repeat(20), "windows-1251")
  bench = await openBench({ "a.log": Buffer.concat([Buffer.from(ascii), russian]) })
  const { data } = await bench.run(read, { file_path: "a.log", offset: 8_000 })
  expect(data).toMatchObject({ encoding: "windows-1251", encoding_guessed: true, line_count: 20 })
  expect(data.content).toContain("Съешь же ещё")
})

test("a byte order mark is named and not part of the text; a few NULs are still text", async () => {
  bench = await openBench({ "bom.txt": "\ufeffone\n", "nul.txt": `one\0two\n${"text ".repeat(20)}` })
  expect((await bench.run(read, { file_path: "bom.txt" })).data).toMatchObject({
    content: "one\n",
    encoding: "utf-8-bom",
  })
  expect((await bench.run(read, { file_path: "nul.txt" })).data.content).toContain("one\0two")
})

test("an SVG is text", async () => {
  bench = await openBench({ "a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n' })
  expect((await bench.run(read, { file_path: "a.svg" })).text).toContain("     1\t<svg")
})

test("an unknown binary is refused with its size and what it probably is", async () => {
  const bytes = Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(500)])
  bench = await openBench({
    "a.docx": bytes,
    "b.bin": Buffer.from(Array.from({ length: 900 }, (_, index) => (index * 37) % 256)),
  })
  const error = await failure(bench.run(read, { file_path: "a.docx" }))
  expect(error.code).toBe("unsupported")
  expect(error.message).toContain("binary file of 504 bytes, probably a ZIP archive")
  expect((await failure(bench.run(read, { file_path: "b.bin" }))).code).toBe("unsupported")
})

test("a directory, a FIFO, a missing path and a NUL are typed failures", async () => {
  bench = await openBench({ "src/main.ts": "x" })
  mkdirSync(join(bench.workspace.path, "empty"))
  execFileSync("mkfifo", [join(bench.workspace.path, "pipe")])
  const directory = await failure(bench.run(read, { file_path: "src" }))
  expect([directory.code, `${directory.message} ${directory.hint}`]).toEqual([
    "unsupported",
    expect.stringContaining("ls"),
  ])
  expect((await failure(bench.run(read, { file_path: "pipe" }))).code).toBe("unsupported")
  const missing = await failure(bench.run(read, { file_path: "src/mian.ts" }))
  expect([missing.code, missing.message]).toEqual(["not_found", expect.stringContaining("main.ts")])
  expect((await failure(bench.run(read, { file_path: "a\0b" }))).code).toBe("denied")
})

test("a read says which file it read", async () => {
  bench = await openBench({ "a.txt": "x" })
  const { effects } = await bench.run(read, { file_path: "a.txt" })
  expect(effects).toEqual([{ kind: "fs.read", path: join(bench.workspace.path, "a.txt") }])
})

test("[C2-47] a file with the whole output of an earlier call can be read", async () => {
  bench = await openBench()
  const path = await bench.ports.writeSidecar("call_1", "first\nsecond\n")
  expect((await bench.run(read, { file_path: path, offset: 1 })).data).toMatchObject({ content: "second\n", eof: true })
})
