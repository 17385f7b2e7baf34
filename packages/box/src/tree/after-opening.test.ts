import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import fc from "fast-check"
import { expect, test } from "vitest"
import { afterOpening } from "./after-opening.js"

test("the opening line is taken off however the stream is cut, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.array(fc.nat(40)), async (after, cuts) => {
      const stream = afterOpening(Readable.from(cut(Buffer.from(`line\n${after}`), cuts)), "line")
      expect(await text(stream.rest)).toBe(Buffer.from(after).toString())
      expect(stream.isOpen()).toBe(true)
      await stream.opened
    }),
  )
})

test("a stream that begins with something else is told whole and is not open", async () => {
  for (const words of ["", "li", "line", "lime\nrest", "\nline\n", "podman: broken\nline\n"]) {
    for (const cuts of [[], [1], [2, 1]]) {
      const stream = afterOpening(Readable.from(cut(Buffer.from(words), cuts)), "line")
      expect(await text(stream.rest)).toBe(words)
      expect(stream.isOpen()).toBe(false)
    }
  }
})

test("a source that breaks ends the stream", async () => {
  const source = new Readable({ read() {} })
  const stream = afterOpening(source, "line")
  source.push("line\nsome")
  const told = text(stream.rest)
  await stream.opened
  source.destroy(new Error("broken"))
  expect(await told).toBe("some")
})

/** The bytes in pieces of these sizes, and then the rest. */
function cut(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...pieces, bytes.subarray(at)].filter((piece) => piece.length > 0)
}
