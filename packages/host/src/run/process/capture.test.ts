import { type StreamRun, streamRuns } from "@haft/contract"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { ByteRing, type CapturedOutput, OutputCapture, StreamCapture } from "./capture.js"
import { wholeEnd, wholeStart } from "./whole-characters.js"

const stream = fc.constantFrom("stdout" as const, "stderr" as const)

function captured(pieces: readonly (readonly [StreamRun["stream"], Uint8Array])[], keepBytes: number): CapturedOutput {
  const capture = new OutputCapture(keepBytes)
  for (const [name, bytes] of pieces) capture.take(name, Buffer.from(bytes))
  return capture.finish()
}

/** The texts of the runs, in their order. */
function parts({ stdout, stderr, order = [stdout.text.length, stderr.text.length] }: CapturedOutput) {
  const places = { stdout: 0, stderr: 0 }
  const texts = { stdout: stdout.text, stderr: stderr.text }
  return streamRuns(order).map(({ stream: name, length }) => {
    const text = texts[name].slice(places[name], places[name] + length)
    places[name] += length
    return { name, text }
  })
}

test("the parts are what was read, in its order, and those of a stream make the stream", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  let alternating = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(stream, text), { maxLength: 30 }), (pieces) => {
      const output = captured(
        pieces.map(([name, piece]) => [name, Buffer.from(piece)]),
        1_000_000,
      )
      const merged: { name: string; text: string }[] = []
      for (const [name, piece] of pieces) {
        const sound = Buffer.from(piece).toString("utf8")
        const last = merged.at(-1)
        if (last?.name === name) last.text += sound
        else merged.push({ name, text: sound })
      }
      expect(parts(output).filter((part) => part.text !== "")).toEqual(merged)
      if (output.order) alternating += 1
    }),
  )
  expect(alternating).toBeGreaterThan(20)
})

test("whatever the bytes and the limit, the parts of a stream make the stream", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.constantFrom("é", "漢", "🙂").map((character) => Buffer.from(character).subarray(0, 2)),
    fc.constantFrom("é", "漢", "🙂").map((character) => Buffer.from(character).subarray(1)),
  )
  let alternating = 0
  fc.assert(
    fc.property(
      fc.array(fc.tuple(stream, bytes), { maxLength: 40 }),
      fc.integer({ min: 2, max: 120 }),
      (pieces, keep) => {
        const output = captured(pieces, keep)
        for (const name of ["stdout", "stderr"] as const) {
          const own = parts(output).filter((part) => part.name === name)
          expect(own.map((part) => part.text).join("")).toBe(output[name].text)
        }
        if (output.order) alternating += 1
      },
    ),
    { numRuns: 500 },
  )
  expect(alternating).toBeGreaterThan(100)
})

test("a character that is cut by the other stream is not broken", () => {
  const [first, second] = [Buffer.from("🙂").subarray(0, 2), Buffer.from("🙂").subarray(2)]
  const pieces = [
    ["stdout", Buffer.from("a")],
    ["stderr", Buffer.from("x")],
    ["stdout", first],
    ["stderr", Buffer.from("y")],
    ["stdout", second],
  ] as const
  expect(parts(captured(pieces, 1000))).toEqual([
    { name: "stdout", text: "a" },
    { name: "stderr", text: "xy" },
    { name: "stdout", text: "🙂" },
  ])
})

test("endless changes between the streams are kept in bounded memory: the first and the last in order", () => {
  const capture = new OutputCapture(100_000_000)
  for (let index = 0; index < 300_000; index += 1) {
    capture.take(index % 2 === 0 ? "stdout" : "stderr", Buffer.from(`${index}\n`))
  }
  const output = capture.finish()
  expect(output.order!.length).toBeLessThan(1_600)
  const all = parts(output)
  expect(all.slice(0, 3).map((part) => part.text)).toEqual(["0\n", "1\n", "2\n"])
  expect(all.slice(-2).map((part) => part.text)).toEqual(["299998\n", "299999\n"])
  expect(all.map((part) => part.text).join("")).toHaveLength(output.stdout.text.length + output.stderr.text.length)
})

test("all of stdout before stderr needs no order", () => {
  expect(
    captured(
      [
        ["stdout", Buffer.from("a")],
        ["stderr", Buffer.from("b")],
      ],
      10,
    ),
  ).not.toHaveProperty("order")
  expect(captured([["stderr", Buffer.from("b")]], 10)).not.toHaveProperty("order")
  expect(
    captured(
      [
        ["stderr", Buffer.from("b")],
        ["stdout", Buffer.from("a")],
      ],
      10,
    ).order,
  ).toEqual([0, 1, 1])
})

const chunks = fc.array(fc.uint8Array({ maxLength: 30 }))
const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }))

test("whatever the pieces, what fits is whole and what does not is its two ends", () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 2, max: 100 }), (pieces, keepBytes) => {
      const whole = Buffer.concat(pieces)
      const capture = new StreamCapture(keepBytes)
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
      const capture = new StreamCapture(keepBytes)
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
  const capture = new StreamCapture(10_000)
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
