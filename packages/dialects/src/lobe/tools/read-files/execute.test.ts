import { symlinkSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { sliceLines } from "./execute.js"
import { readFiles } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("each file as it can be read: text in its encoding, folders, binary files and links out as errors of their own", async () => {
  bench = await openBench({
    "a.txt": "one\r\ntwo\n",
    "latin.txt": new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
    "b.bin": new Uint8Array([0, 1, 2, 0, 255, 0, 9, 0]),
    "d/c.txt": "",
  })
  symlinkSync("/etc/hostname", join(bench.workspace.path, "out.txt"))
  const paths = ["a.txt", "latin.txt", "b.bin", "d", "out.txt", "d/c.txt"]
  const { data, text } = await bench.run(readFiles, { paths })
  expect(data.failed).toBe(3)
  expect(data.files.map(({ error }: { error?: string }) => error !== undefined)).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
  ])
  expect(data.files[0]).toEqual({
    path: "a.txt",
    content: "one\r\ntwo\n",
    start_line: 1,
    line_count: 2,
    eof: true,
    total_lines: 2,
  })
  expect(data.files[1].content).toBe("café\n")
  expect(text).toContain("=== a.txt ===\n     1\tone\n     2\ttwo")
  expect(text).toContain("=== d/c.txt ===\n[No lines here]")
  expect(text).toContain("[3 of 6 files could not be read]")
})

test("together they stay within the limit, each with its share", async () => {
  bench = await openBench({ "a.txt": "0123456789\n".repeat(100), "b.txt": "short\n" })
  const { data } = await bench.run(readFiles, { paths: ["a.txt", "b.txt"], limit: 500 }, { limit: 200 })
  expect(data.files[0]).toMatchObject({ line_count: 9, eof: false })
  expect(data.files[1]).toMatchObject({ content: "short\n", eof: true })
})

test("every file is an effect of its own, so that each is judged", () => {
  expect(readFiles.manifest.effects({ paths: ["a", "b"], offset: 0, limit: 1 })).toEqual([
    { kind: "fs.read", path: "a" },
    { kind: "fs.read", path: "b" },
  ])
})

test("pages of any text put together are the text, and none is longer than it may be", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "é", "🙂", "\n", "\r\n"), maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 20, max: 60 }),
      (text, limit, maxBytes) => {
        let read = ""
        for (let offset = 0; ; ) {
          const page = sliceLines(text, { offset, limit, maxBytes })
          expect(Buffer.byteLength(page.content)).toBeLessThanOrEqual(maxBytes)
          read += page.content
          offset += page.line_count
          if (page.eof) break
        }
        const cut = text.split("\n").some((line) => Buffer.byteLength(`${line}\n`) > maxBytes)
        if (!cut) expect(read).toBe(text)
      },
    ),
  )
})
