import fc from "fast-check"
import { expect, test } from "vitest"
import { ByteRing } from "./byte-ring.js"

test("a ring holds exactly the last bytes of what was added, however it was cut", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), (capacity, pieces) => {
      const ring = new ByteRing(capacity)
      for (const piece of pieces) ring.add(Buffer.from(piece))
      const all = Buffer.concat(pieces)
      const expected = all.subarray(Math.max(0, all.length - capacity))
      expect(ring.joined()).toEqual(Buffer.from(expected))
      expect(ring.bytes).toBe(expected.length)
    }),
  )
})

test("a ring keeps nothing of the piece it was given", () => {
  const ring = new ByteRing(4)
  const piece = Buffer.from("abcdef")
  ring.add(piece)
  piece.fill(0)
  expect(ring.joined().toString()).toBe("cdef")
})
