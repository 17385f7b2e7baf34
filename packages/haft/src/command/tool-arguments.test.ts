import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough, Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Io } from "./io.js"
import type { SpokenTool } from "./spoken-tool.js"
import { toolArguments } from "./tool-arguments.js"

const tool: Pick<SpokenTool, "name" | "inputSchema" | "operands"> = {
  name: "sample",
  inputSchema: {
    properties: {
      text: { type: "string" },
      count: { type: "integer" },
      ratio: { type: "number" },
      deep: { type: "boolean" },
      items: { type: "array", items: { type: "string" } },
      any: { anyOf: [{ type: "number" }, { type: "null" }] },
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      choice: { enum: ["a", "b"] },
      "-i": { type: "boolean" },
      城市: { type: "string" },
    },
    required: ["text"],
  },
  operands: ["text", "count"],
}

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "haft-arguments-"))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const io = (input: string | Buffer = ""): Io => ({
  stdin: Readable.from(input.length > 0 ? [input] : []),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  cwd,
})
const read = (words: readonly string[], whole?: string, input?: string | Buffer) =>
  toolArguments(tool, words, whole, io(input))

describe("arguments of a call", () => {
  test.each([
    ["text=a=b c", { text: "a=b c" }],
    ["text=", { text: "" }],
    ["text=12", { text: "12" }],
    ["text=@@handle", { text: "@handle" }],
    ["count=12", { count: 12 }],
    ["ratio=2", { ratio: 2 }],
    ["ratio=0.5", { ratio: 0.5 }],
    ["deep=true", { deep: true }],
    ['items=["a","b"]', { items: ["a", "b"] }],
    ["any=null", { any: null }],
    ["either=12", { either: "12" }],
    ["choice=a", { choice: "a" }],
    ["城市=北京", { 城市: "北京" }],
  ])("%s becomes what the schema wants", async (word, values) => {
    expect(await read([word])).toEqual(values)
  })

  test.each([
    ["count=x", "expected integer"],
    ["count=1.5", "expected integer"],
    ["deep=yes", "expected boolean"],
    ["items=a", "expected array as JSON"],
    ["txt=a", "has no such argument"],
    ["toString=a", "has no such argument"],
    ["text=@missing", "the file does not exist"],
  ])("%s is refused: %s", async (word, words) => {
    await expect(read([word])).rejects.toMatchObject({ code: "invalid_args", message: expect.stringContaining(words) })
  })

  test("a misspelt key is answered with the nearest", async () => {
    await expect(read(["txt=a"])).rejects.toMatchObject({ hint: "Did you mean text?" })
  })

  test("a text may come from a file or from standard input, byte for byte", async () => {
    writeFileSync(join(cwd, "f.txt"), "\ufeffa\r\nb")
    expect(await read(["text=@f.txt"])).toEqual({ text: "\ufeffa\r\nb" })
    expect(await read(["text=-"], undefined, "x\ny\n")).toEqual({ text: "x\ny\n" })
    await expect(read(["text=-", "items=-"], undefined, "[]")).rejects.toMatchObject({ code: "invalid_args" })
    await expect(read(["text=-"], undefined, Buffer.from([0xff, 0xfe]))).rejects.toMatchObject({ code: "invalid_args" })
  })

  test("--args takes a JSON object, a file or standard input, and words win over it", async () => {
    writeFileSync(join(cwd, "a.json"), '{"text":"f","count":1}')
    expect(await read(["count=2"], '{"text":"t","count":1}')).toEqual({ text: "t", count: 2 })
    expect(await read([], "@a.json")).toEqual({ text: "f", count: 1 })
    expect(await read([], "-", '{"text":"s"}')).toEqual({ text: "s" })
    for (const wrong of ["[]", "1", "{", ""])
      await expect(read([], wrong)).rejects.toMatchObject({ code: "invalid_args" })
  })
})

describe("words without a key", () => {
  test.each([
    [["hello"], { text: "hello" }],
    [["hello", "3"], { text: "hello", count: 3 }],
    [["count=2", "hello"], { count: 2, text: "hello" }],
    [["text=a", "7"], { text: "a", count: 7 }],
    [["src/a=b.txt"], { text: "src/a=b.txt" }],
    [["https://x.test/?a=b"], { text: "https://x.test/?a=b" }],
    [["=x"], { text: "=x" }],
    [["hello", "-i"], { text: "hello", "-i": true }],
    [["hello", "-i=false"], { text: "hello", "-i": false }],
  ])("%j is taken in the order of the manifest", async (words, expected) => {
    expect(await read(words)).toEqual(expected)
  })

  test.each([
    [["a", "1", "b"], "only text and count may be written without a key"],
    [["a=b"], '"sample" has no such argument'],
    [["a", "-x"], "expected integer"],
  ])("%j is refused", async (words, reason) => {
    await expect(read(words)).rejects.toThrow(reason)
  })

  test("a text with = in it is told how to be written", async () => {
    await expect(read(["foo=b"])).rejects.toMatchObject({
      hint: expect.stringContaining("; a text with = in it is written text=foo=b"),
    })
  })
})

describe("key:=json", () => {
  test.each([
    [["text:=5"], { text: 5 }],
    [["items:=[1,2]"], { items: [1, 2] }],
    [['any:={"a":null}'], { any: { a: null } }],
    [["deep:=true"], { deep: true }],
  ])("%j is taken as it is", async (words, expected) => {
    expect(await read(words)).toEqual(expected)
  })

  test("what is no JSON is refused with the way to write a text", async () => {
    await expect(read(["text:=hello"])).rejects.toMatchObject({
      message: 'Cannot take argument "text:=hello": what comes after := must be JSON',
      hint: expect.stringContaining("key=text"),
    })
  })
})
