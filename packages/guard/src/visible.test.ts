import { expect, test } from "vitest"
import { visible, visibleLine } from "./visible.js"

test.each([
  ["a\u001b[2Jb", "a\\x1b[2Jb"],
  ["a\rb\u0085", "a\\x0db\\x85"],
  ["a\u202eb\u061c", "a\\u202eb\\u061c"],
  ["a\u3164b\u00adc\u200bd", "a\\u3164b\\xadc\\u200bd"],
  ["a\u{e0041}b\u{e0100}", "a\\u{e0041}b\\u{e0100}"],
  ["one\n\ttwo", "one\n\ttwo"],
  [
    "\u{1f468}\u200d\u{1f469} \u2764\ufe0f \u0645\u06cc\u200c\u062e",
    "\u{1f468}\u200d\u{1f469} \u2764\ufe0f \u0645\u06cc\u200c\u062e",
  ],
])("%j is written %j", (text, written) => {
  expect(visible(text)).toBe(written)
})

test("a line has no breaks and is cut with a sign", () => {
  expect(visibleLine("a\nb\tc")).toBe("a\\nb\\tc")
  expect(visibleLine("x".repeat(300))).toBe(`${"x".repeat(199)}…`)
})
