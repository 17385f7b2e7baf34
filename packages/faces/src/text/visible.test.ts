import fc from "fast-check"
import { expect, test } from "vitest"
import { visiblePieces, visibleText } from "./visible.js"

test("characters that hide or turn text around are pieces of their own", () => {
  expect(visiblePieces("a\u202eb")).toEqual(["a", { hidden: "\u202e" }, "b"])
  expect(visibleText("pay\u200bpal \u2066x\u2069 \u{e0041}")).toBe("pay[U+200B]pal [U+2066]x[U+2069] [U+E0041]")
  expect(visibleText("\ud800")).toBe("[U+D800]")
  // Line breaks, tabs, other scripts and emoji are seen.
  expect(visiblePieces("a\tb\n简体 עברית 👩‍💻")).toEqual(["a\tb\n简体 עברית 👩‍💻"])
})

test("nothing is lost, and no text has a hidden character outside of its own piece", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const pieces = visiblePieces(text)
      expect(pieces.map((piece) => (typeof piece === "string" ? piece : piece.hidden)).join("")).toBe(text)
      expect(visibleText(text)).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/)
    }),
  )
})
