import fc from "fast-check"
import { expect, test } from "vitest"
import { detectEncoding } from "./encoding.js"
import { plainUtf8 } from "./utf8.js"

test("text without doubt is given as it is", () => {
  expect(plainUtf8(new TextEncoder().encode("a\r\nö €\u{1f600}\n"))).toBe("a\r\nö €\u{1f600}\n")
  expect(plainUtf8(new Uint8Array())).toBe("")
})

test.each([
  ["a NUL", [0x61, 0x00, 0x62]],
  ["a byte order mark", [0xef, 0xbb, 0xbf, 0x61]],
  ["the mark of UTF-16", [0xff, 0xfe, 0x61, 0x00]],
  ["a byte of Latin-1", [0x61, 0xe9, 0x62]],
  ["an overlong form", [0xc0, 0xaf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a character that is cut short", [0x61, 0xe2, 0x82]],
])("%s leaves it to a closer look", (_, bytes) => {
  expect(plainUtf8(Uint8Array.from(bytes))).toBeUndefined()
})

test("whatever is plain is UTF-8 for the closer look too, and comes back byte for byte", async () => {
  const pieces = fc.oneof(
    fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 12 }),
  )
  let plain = 0
  await fc.assert(
    fc.asyncProperty(pieces, async (bytes) => {
      const text = plainUtf8(bytes)
      if (text === undefined) return
      plain += 1
      expect(await detectEncoding(bytes)).toEqual({ encoding: "utf-8", bomBytes: 0, guessed: false })
      expect(new TextEncoder().encode(text)).toEqual(Uint8Array.from(bytes))
    }),
    { numRuns: 2000 },
  )
  expect(plain).toBeGreaterThan(200)
})
