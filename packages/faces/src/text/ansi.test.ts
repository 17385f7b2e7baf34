import fc from "fast-check"
import { expect, test } from "vitest"
import { type AnsiText, parseAnsi } from "./ansi.js"

const all = { maxLines: 10_000, keep: "tail" } as const
const plainText = ({ lines }: AnsiText) => lines.map(({ runs }) => runs.map(({ text }) => text).join("")).join("\n")

test("colours and weights become runs", () => {
  expect(parseAnsi("a\x1b[1;31mred\x1b[0mb", all).lines[0]!.runs).toEqual([
    { text: "a", style: {} },
    { text: "red", style: { bold: true, color: 1 } },
    { text: "b", style: {} },
  ])
  expect(parseAnsi("\x1b[92mok\x1b[39m", all).lines[0]!.runs).toEqual([{ text: "ok", style: { color: 10 } }])
  expect(parseAnsi("\x1b[48;5;196mx", all).lines[0]!.runs[0]!.style).toEqual({ background: 1 })
  expect(parseAnsi("\x1b[38;2;10;200;10mx", all).lines[0]!.runs[0]!.style).toEqual({ color: 2 })
  expect(parseAnsi("\x1b[4;7;3;2mx\x1b[22;23;24;27my", all).lines[0]!.runs[1]!.style).toEqual({})
})

test("a progress bar shows its last state, and control sequences draw nothing", () => {
  expect(plainText(parseAnsi("10 %\r50 %\r100 %\ndone\n", all))).toBe("100 %\ndone")
  expect(plainText(parseAnsi("a\r\nb\r\n", all))).toBe("a\nb")
  expect(plainText(parseAnsi("x\x1b]8;;http://evil\x07link\x1b]8;;\x07\x1b[2J\x1b(B", all))).toBe("xlink")
  expect(plainText(parseAnsi("old\r\x1b[Knew", all))).toBe("new")
})

test("text without escapes is kept letter by letter", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\x00-\x1f\x7f-\x9f]/g, ""))),
      (lines) => {
        const text = lines.join("\n")
        expect(plainText(parseAnsi(text, all))).toBe(text.replace(/\n$/, ""))
      },
    ),
  )
})

test("letters survive every sequence around them", () => {
  const sequence = fc.constantFrom(
    "\x1b[31m",
    "\x1b[0m",
    "\x1b[1;4m",
    "\x1b[38;5;12m",
    "\x1b]0;title\x07",
    "\x1b[K",
    "\x1b(B",
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(sequence, fc.stringMatching(/^[a-z ]{0,8}$/))), (pieces) => {
      const text = pieces.map(([before, letters]) => before + letters).join("")
      expect(plainText(parseAnsi(text, all))).toBe(pieces.map(([, letters]) => letters).join(""))
    }),
  )
})

test("any output is drawn in bounded pieces, and never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), fc.constantFrom("head", "tail"), (text, keep) => {
      const { lines } = parseAnsi(text, { maxLines: 5, keep })
      expect(lines.length).toBeLessThanOrEqual(5)
    }),
  )
  const long = parseAnsi("x".repeat(5_000_000), { maxLines: 40, keep: "tail" })
  expect(long.lines[0]!.runs[0]!.text).toHaveLength(2000)
  expect(long.lines[0]!.charactersLeftOut).toBe(4_998_000)
  const many = parseAnsi("\x1b[31mx\x1b[32my".repeat(100_000), { maxLines: 40, keep: "tail" })
  expect(many.lines[0]!.runs.length).toBeLessThanOrEqual(300)
  const lines = parseAnsi("line\n".repeat(100_000), { maxLines: 40, keep: "tail" })
  expect(lines.linesLeftOut).toBe(99_960)
})
