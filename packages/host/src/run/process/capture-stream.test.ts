import * as fc from "fast-check"
import { expect, test } from "vitest"
import { captureStream } from "./capture-stream.js"
import { wholeEnd, wholeStart } from "./whole-characters.js"

const chunks = fc.array(fc.uint8Array({ maxLength: 30 }))
const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }))

test("whatever the pieces, what fits is whole and what does not is its two ends", () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 2, max: 100 }), (pieces, keepBytes) => {
      const whole = Buffer.concat(pieces)
      const capture = captureStream(keepBytes)
      for (const piece of pieces) capture.take(Buffer.from(piece))
      const { text, totalBytes, truncated } = capture.finish()
      expect(totalBytes).toBe(whole.length)
      expect(truncated).toBe(whole.length > keepBytes)
      if (!truncated) expect(text).toBe(whole.toString("utf8"))
      else expect(text).toMatch(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/)
    }),
  )
})

test("the cut never breaks a character, and the count of what is left out is true", () => {
  let cut = 0
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 60 }), (pieces, keepBytes) => {
      const whole = Buffer.from(pieces.join(""))
      const capture = captureStream(keepBytes)
      for (const piece of pieces) capture.take(Buffer.from(piece))
      const { text, truncated } = capture.finish()
      if (!truncated || whole.toString("utf8").includes("\uFFFD") || whole.includes("left out")) return
      cut += 1
      expect(text).not.toContain("\uFFFD")
      const [, head, left, tail] = /^([\s\S]*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n([\s\S]*)$/.exec(text)!
      expect(Buffer.byteLength(head!) + Number(left) + Buffer.byteLength(tail!)).toBe(whole.length)
      expect(whole.toString("utf8").startsWith(head!)).toBe(true)
      expect(whole.toString("utf8").endsWith(tail!)).toBe(true)
    }),
  )
  expect(cut).toBeGreaterThan(20)
})

test("memory stays near the limit, in large and in tiny pieces", () => {
  const capture = captureStream(10_000)
  const big = Buffer.alloc(65_536, "a")
  for (let n = 0; n < 2000; n++) capture.take(big)
  for (let n = 0; n < 200_000; n++) capture.take(Buffer.from("b"))
  const { text, totalBytes } = capture.finish()
  expect(totalBytes).toBe(2000 * 65_536 + 200_000)
  expect(text.length).toBeLessThan(10_100)
  expect(text.endsWith("b".repeat(5000))).toBe(true)
})

test("any bytes have places to cut, at most three bytes away", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 40 }), (bytes) => {
      expect(bytes.length - wholeEnd(bytes)).toBeLessThanOrEqual(3)
      expect(wholeStart(bytes)).toBeLessThanOrEqual(3)
    }),
  )
})
