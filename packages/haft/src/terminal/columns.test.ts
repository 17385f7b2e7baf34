import fc from "fast-check"
import { expect, test } from "vitest"
import { columns, flow, fold, hang, widthOf, wrap } from "./columns.js"

test.each([
  ["abc", 3],
  ["größe", 5],
  ["日本語", 6],
  ["ｱｲｳ", 3],
  ["한국", 4],
  ["👩‍👩‍👧 ok", 5],
  ["❤️", 2],
  ["e\u0301", 1],
  ["\u001b[1mbold\u001b[22m", 4],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test("columns of wide characters are aligned", () => {
  expect(
    columns([
      ["日本", "a"],
      ["xyz", "b"],
    ]),
  ).toBe("日本  a\nxyz   b")
})

test("Chinese is broken between characters, never before a mark that closes", () => {
  expect(wrap("无法读取 a.txt：文件不存在，请检查路径", 16)).toEqual(["无法读取 a.txt：", "文件不存在，请检", "查路径"])
  expect(wrap("文件不存在，请检查路径", 10)).toEqual(["文件不存", "在，请检查", "路径"])
})

const piece = fc.constantFrom("a", "bc", " ", "  ", "日本", "größe", "👩‍👩‍👧", "x".repeat(50), "e\u0301", "|")
const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""))
const widths = fc.integer({ min: 8, max: 120 })

test("no line is wider than asked for, and no character is lost", () => {
  let broken = 0
  fc.assert(
    fc.property(texts, widths, (text, width) => {
      const inked = (lines: readonly string[]) => lines.join("").replace(/ /g, "")
      for (const lines of [wrap(text, width), fold(text, width), hang(`  ${text}`, width), flow([text, text], width)]) {
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
        if (lines.length > 2) broken += 1
      }
      expect(fold(text, width).join("")).toBe(text)
      expect(inked(wrap(text, width))).toBe(inked([text]))
      expect(inked(hang(`  ${text}`, width))).toBe(inked([text]))
    }),
  )
  expect(broken).toBeGreaterThan(50)
})

test("words that fit into a line are not broken", () => {
  expect(wrap("allow in this session: fs.write(src/**)", 25)).toEqual(["allow in this session:", "fs.write(src/**)"])
  expect(hang("  rules   ask  no rule settles it", 24)).toEqual(["  rules   ask  no rule", "    settles it"])
})
