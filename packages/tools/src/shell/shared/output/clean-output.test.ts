import fc from "fast-check"
import { expect, test } from "vitest"
import { cleanOutput } from "./clean-output.js"

const clean = (text: string) => cleanOutput(text).text

test.each([
  ["plain ünï 🙂\ttext\nand more\n", "plain ünï 🙂\ttext\nand more\n"],
  ["\x1b[31mred\x1b[0m \x1b[1;4mbold\x1b[m\n", "red bold\n"],
  ["\x1b[38;5;8mgrey\x1b[0m", "grey"],
  ["10%\r50%\r100%\n", "100%\n"],
  ["Downloading 10%\rDone\x1b[K\n", "Done\n"],
  ["Downloading 10%\x1b[2K\rDone\n", "Done\n"],
  ["Downloading 10%\x1b[2K\x1b[1GDone\n", "Done\n"],
  ["abcdef\rxy\n", "xycdef\n"],
  ["crlf\r\nlines\r\n", "crlf\nlines\n"],
  ["50%\r", "50%"],
  ["|\b/\b-\b\\\b done\n", " done\n"],
  ["N\bNA\bAM\bME\bE", "NAME"],
  ["\x1b]0;title\x07shown", "shown"],
  ["\x1b]8;;https://x.test\x1b\\link\x1b]8;;\x1b\\", "link"],
  ["\x1bPq#0;2;0;0;0\x1b\\after", "after"],
  ["\x1b_kitty\x1b\\a\x1b^pm\x1b\\b\x1bXsos\x1b\\c", "abc"],
  ["\x1b(B\x1b)0charset\x1b#8", "charset"],
  ["\x1b7saved\x1b8\x1b=\x1b>\x1bc", "saved"],
  ["\x1b[?1049h\x1b[2J\x1b[Hscreen\x1b[?25l", "screen"],
  ["bell\x07 shift\x0e\x0f", "bell shift"],
  ["\u009b31mC1\u009b0m \u009d0;t\u009cosc \u0090q\u009cdcs", "C1 osc dcs"],
  ["nel\u0085stays", "nel\u0085stays"],
])("%j is shown as %j", (text, expected) => expect(clean(text)).toBe(expected))

test.each([
  [
    "\x1b]0;never closed, with a long text behind it\nnext line\n",
    "]0;never closed, with a long text behind it\nnext line\n",
  ],
  ["\x1bPnever closed\nnext", "Pnever closed\nnext"],
  ["\u009dnever closed\nnext", "never closed\nnext"],
  ["\x1b]0;a\x1b[31mred\x07", "]0;ared"],
  ["\x1b[31", "[31"],
  ["\x1b\x1b\x1b[31mx", "x"],
  ["\x1bhello", "hello"],
  ["a\x1b", "a"],
  ["\x1b[1;\u4e2dtext", "[1;\u4e2dtext"],
  ["\x1b]0;\x1b]0;\x1b]0;t\x07x", "]0;]0;x"],
])("a sequence that is not whole takes no text with it: %j", (text, expected) => expect(clean(text)).toBe(expected))

test("text that a terminal hides is shown, and said to be hidden", () => {
  expect(cleanOutput("a\x1b[8mhidden\x1b[28mb")).toEqual({ text: "ahiddenb", concealed: true })
  expect(cleanOutput("\x1b[0;8;31mhidden")).toEqual({ text: "hidden", concealed: true })
  for (const colour of ["38;5;8", "48;2;8;8;8", "58;5;8", "38;5;8;1", "28", "18", "0"]) {
    expect([colour, cleanOutput(`\x1b[${colour}mx`).concealed]).toEqual([colour, false])
  }
})

const piece = fc.constantFrom(
  ..."ab \n\r\b\t;0188[]()mKGDC?漢🙂é\u0301",
  ..."\x07\x0e\x0f\x1b\x1b\x1b\x1b\u0080\u0085\u0090\u009b\u009c\u009d\u009f\0\x7f",
  ...["\x1b[31m", "\x1b[2K", "\x1b[5G", "\x1b]0;t\x07", "\x1b\\", "\x1bP", "\x1b[8m", "\r\n"],
)
const hostile = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""))

test("cleaning twice is cleaning once, and nothing becomes longer or keeps a control sequence", () => {
  let changed = 0
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (text) => {
      const once = clean(text)
      expect(clean(once)).toBe(once)
      expect(once.length).toBeLessThanOrEqual(text.length)
      expect(once).not.toMatch(/[\x07\x08\r\x1b\u009b]/)
      expect(once.split("\n").length).toBe(text.split("\n").length)
      if (once !== text) changed += 1
    }),
    { numRuns: 3_000 },
  )
  expect(changed).toBeGreaterThan(1_000)
})

test("text without control characters stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (any) => {
      const plain = any.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "")
      expect(clean(plain)).toBe(plain)
    }),
  )
})

test("letters between sequences survive, whatever the sequences", () => {
  const broken = fc.constantFrom(
    "\x1b",
    "\x1b]0;",
    "\x1bP",
    "\u009d",
    "\u0090",
    "\x1b_",
    "\x1b[31m",
    "\x1b]0;t\x07",
    "\x1b[",
  )
  const words = fc.array(fc.tuple(broken, fc.constantFrom("\u4e2d\u6587", "\u00e4\u00f6", "\u03b1\u03b2")), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(words, (pairs) => {
      const shown = clean(`${pairs.map(([sequence, word]) => sequence + word).join("")}\n`)
      expect(shown.replaceAll(/[^\u4e2d\u6587\u00e4\u00f6\u03b1\u03b2]/g, "")).toBe(
        pairs.map(([, word]) => word).join(""),
      )
    }),
  )
})

test.each([
  ["escapes", "\x1b"],
  ["open OSC", "\x1b]0;"],
  ["open CSI", "\x1b[1;1;1;1"],
  ["C1", "\u009b\u009d"],
  ["carriage returns", "abc\r"],
  ["backspaces", "ab\b"],
  ["erasures", "abc\x1b[2K\r"],
  ["erasures at the end", "abc\x1b[1K"],
  ["parameters", "1;"],
  ["lines", "\x1b]0;\n"],
])("a megabyte of %s takes linear time", (_name, unit) => {
  const time = (length: number) => {
    const text = `\x1b[${unit.repeat(Math.ceil(length / unit.length))}`
    const start = performance.now()
    clean(text)
    return performance.now() - start
  }
  time(100_000)
  const [small, large] = [Math.min(time(250_000), time(250_000)), Math.min(time(1_000_000), time(1_000_000))]
  expect(large).toBeLessThan(Math.max(400, 12 * small))
})
