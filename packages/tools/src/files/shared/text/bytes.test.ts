import { isUtf8 } from "node:buffer"
import fc from "fast-check"
import { expect, test } from "vitest"
import { findBytes } from "../../edit/apply-edit.js"
import { splice } from "./open-text.js"
import { countLineFeeds, scanUtf8 } from "./utf8.js"

const shifted = fc
  .tuple(fc.uint8Array({ maxLength: 80 }), fc.nat(3))
  .map(([bytes, shift]) => Buffer.concat([Buffer.alloc(shift), bytes]).subarray(shift))

test("the scan agrees with the platform on what is UTF-8, at any alignment", () => {
  const mixed = fc
    .tuple(fc.string({ unit: "binary" }), shifted)
    .map(([text, bytes]) => Buffer.concat([Buffer.from(text), bytes]))
  fc.assert(
    fc.property(fc.oneof(shifted, mixed), (bytes) => {
      const scan = scanUtf8(bytes)
      expect(scan.strayCount === 0).toBe(isUtf8(bytes))
      expect(scan.ascii).toBe(bytes.every((byte) => byte < 0x80))
      expect(scan.nulCount).toBe(bytes.filter((byte) => byte === 0).length)
      expect(scan.firstHigh).toBe(bytes.findIndex((byte) => byte >= 0x80))
    }),
    { numRuns: 2000 },
  )
})

test("line feeds are counted at any alignment", () => {
  const feeds = fc.array(fc.constantFrom(10, 13, 0x0b, 0x8a, 0, 0xff), { maxLength: 60 })
  fc.assert(
    fc.property(feeds, fc.nat(3), fc.nat(60), fc.nat(60), (list, shift, one, two) => {
      const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(list)]).subarray(shift)
      const [from, to] = [Math.min(one, two, bytes.length), Math.min(Math.max(one, two), bytes.length)]
      expect(countLineFeeds(bytes, from, to)).toBe(bytes.subarray(from, to).filter((byte) => byte === 10).length)
    }),
    { numRuns: 2000 },
  )
})

test("bytes are found alike in a Buffer and in a plain array", () => {
  const few = fc.uint8Array({ max: 2, maxLength: 40 })
  fc.assert(
    fc.property(few, fc.uint8Array({ max: 2, minLength: 1, maxLength: 6 }), fc.nat(40), (bytes, wanted, from) => {
      expect(findBytes(new Uint8Array(bytes), wanted, from)).toBe(findBytes(Buffer.from(bytes), wanted, from))
    }),
    { numRuns: 2000 },
  )
})

test("a splice changes its spans and nothing else", () => {
  const bytes = Buffer.from("0123456789")
  const edits = [
    { start: 0, end: 1, bytes: Buffer.from("ab") },
    { start: 4, end: 4, bytes: Buffer.from("c") },
    { start: 9, end: 10, bytes: new Uint8Array() },
  ]
  expect(Buffer.from(splice(bytes, edits)).toString()).toBe("ab123c45678")
  expect(() => splice(bytes, [edits[1]!, edits[0]!])).toThrow(RangeError)
})
