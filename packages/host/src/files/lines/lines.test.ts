import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { LineRequest, NewlineUnit } from "@haft/contract"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createFileGround, type FileGround, failureOf, textOf } from "../../../test/file-ground.js"
import { createLineIndex } from "./line-index.js"
import { countNewlines } from "./newlines.js"
import { readLines } from "./read-lines.js"
import { linesInMemory } from "./window.js"

const base: LineRequest = { startLine: 0, maxLines: 2, maxBytes: 100, unit: "byte" }

describe("lines of bytes in memory", () => {
  const lines = (text: string, request: Partial<LineRequest> = {}) =>
    linesInMemory(Buffer.from(text), { ...base, ...request })

  test("come with their line breaks and say where they begin", () => {
    const window = lines("one\ntwo\r\nthree", { startLine: 1 })
    expect(textOf(window.bytes)).toBe("two\r\nthree")
    expect(window).toMatchObject({ byteOffset: 4, lineCount: 2, eof: true, cut: false, totalLines: 3 })
  })

  test("the place behind the last line break is no line", () => {
    expect(lines("a\nb\n", { maxLines: 9 })).toMatchObject({ lineCount: 2, eof: true, totalLines: 2 })
    expect(lines("a\nb\n", { startLine: 2 })).toMatchObject({ lineCount: 0, eof: true, totalLines: 2, byteOffset: 4 })
    expect(lines("", {})).toMatchObject({ lineCount: 0, eof: true, totalLines: 0 })
    expect(lines("a\nb", { startLine: 9 })).toMatchObject({ lineCount: 0, eof: true, totalLines: 2, byteOffset: 3 })
  })

  test("stop before a line that does not fit, and cut a single one that is too long", () => {
    expect(textOf(lines("aaa\nbbb\n", { maxBytes: 6 }).bytes)).toBe("aaa\n")
    expect(lines("aaaaaaaa\nb", { maxBytes: 5 })).toMatchObject({ lineCount: 1, cut: true, eof: false })
    expect(lines("aaaaa", { maxBytes: 5 })).toMatchObject({ lineCount: 1, cut: false, eof: true })
    expect(lines("aaaa\n", { maxBytes: 5 })).toMatchObject({ lineCount: 1, cut: false, eof: true })
  })

  test("of UTF-16 break at whole units only", () => {
    const bytes = Buffer.from("a\u0a61\nb\u610a\nc", "utf16le")
    const window = linesInMemory(bytes, { ...base, startLine: 1, maxLines: 1, unit: "utf16le" })
    expect(Buffer.from(window.bytes).toString("utf16le")).toBe("b\u610a\n")
    const swapped = Buffer.from(bytes).swap16()
    expect(linesInMemory(swapped, { ...base, startLine: 2, unit: "utf16be" })).toMatchObject({
      lineCount: 1,
      eof: true,
    })
    expect(linesInMemory(bytes, { ...base, maxBytes: 3, unit: "utf16le" }).bytes.length).toBe(2)
  })
})

test("counting agrees with looking at every byte, at any alignment and density", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(10, 13, 0, 0x8a, 97), { size: "max", maxLength: 3000 }),
      fc.nat(7),
      (values, shift) => {
        const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(values)]).subarray(shift)
        expect(countNewlines(bytes, "byte")).toBe(values.filter((value) => value === 10).length)
      },
    ),
  )
})

test("lines of a large file are those of the same bytes in memory, with and without an index", async () => {
  const unit = fc.constantFrom<NewlineUnit>("byte", "utf16le", "utf16be")
  const line = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.integer({ min: 0, max: 150_000 }).map((length) => "x".repeat(length)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.boolean(),
      unit,
      fc.nat(14),
      async (texts, ends, unit, start) => {
        const text = texts.join("\n") + (ends ? "\n" : "")
        const bytes = unit === "byte" ? Buffer.from(text) : Buffer.from(text, "utf16le")
        if (unit === "utf16be") bytes.swap16()
        const source = {
          size: bytes.length,
          fill: async (buffer: Buffer, offset: number) => bytes.copy(buffer, 0, offset),
        }
        const index = createLineIndex(bytes.length, unit)
        for (const maxBytes of [1000, 200_000, 200_000]) {
          const request = { startLine: start, maxLines: 3, maxBytes, unit }
          const [large, small] = [await readLines(source, request, index), linesInMemory(bytes, request)]
          expect(Buffer.compare(large.bytes, small.bytes)).toBe(0)
          expect({ ...large, bytes: null }).toEqual({ ...small, bytes: null })
        }
      },
    ),
    { numRuns: 60 },
  )
})

describe("deep lines of a large file", () => {
  let ground: FileGround
  const lineAt = (index: number) => `line ${index} ${"x".repeat(index % 50)}\n`
  const count = 200_000
  beforeAll(() => {
    ground = createFileGround()
    writeFileSync(join(ground.root, "log"), Array.from({ length: count }, (_, index) => lineAt(index)).join(""))
  })
  afterAll(() => ground.close())

  const read = async (startLine: number, maxLines = 3) => {
    const file = await ground.files().open("log")
    try {
      return await file.lines({ startLine, maxLines, maxBytes: 200_000, unit: "byte" })
    } finally {
      await file.close()
    }
  }

  test("are found, also a second time and before the first place", async () => {
    for (const start of [150_000, 150_000, 3, count - 1, 150_001, 0]) {
      expect(textOf((await read(start)).bytes).startsWith(lineAt(start))).toBe(true)
    }
    expect(await read(count + 5)).toMatchObject({ lineCount: 0, eof: true, totalLines: count })
  })

  test("are right after the file grew, and after it was rewritten", async () => {
    appendFileSync(join(ground.root, "log"), "the end\n")
    expect(textOf((await read(count)).bytes)).toBe("the end\n")
    expect(textOf((await read(150_000, 1)).bytes)).toBe(lineAt(150_000))
    writeFileSync(
      join(ground.root, "log"),
      Array.from({ length: count }, (_, index) => `new ${lineAt(index)}`).join(""),
    )
    expect(textOf((await read(150_000, 1)).bytes)).toBe(`new ${lineAt(150_000)}`)
  })

  test("are not read on after an abort, and the descriptor is closed", async () => {
    const abort = new AbortController()
    const file = await ground.files({ signal: abort.signal }).open("log")
    const reading = file.lines({ startLine: count - 10, maxLines: 1, maxBytes: 1000, unit: "byte" })
    abort.abort()
    expect((await failureOf(reading)).code).toBe("cancelled")
    expect((await failureOf(file.read(0, 10))).code).toBe("cancelled")
    expect(ground.session.open.size).toBe(0)
  })
})

test("a file that lost the piece between two known marks is looked through anew and says how far it goes", async () => {
  const index = createLineIndex(300_000, "byte")
  const full = Buffer.alloc(300_000, "line\n")
  const sourceOf = (bytes: Buffer) => ({
    size: bytes.length,
    fill: async (buffer: Buffer, offset: number) => bytes.copy(buffer, 0, offset),
  })
  await readLines(sourceOf(full), { ...base, startLine: 50_000 }, index)
  const between = await readLines(sourceOf(full), { ...base, startLine: 20_000 }, index)
  expect(between).toMatchObject({ byteOffset: 100_000, lineCount: 2 })
  const shorter = await readLines(sourceOf(full.subarray(0, 70_000)), { ...base, startLine: 20_000 }, index)
  expect(shorter).toMatchObject({ lineCount: 0, eof: true, totalLines: 14_000 })
})
