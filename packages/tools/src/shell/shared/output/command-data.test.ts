import fc from "fast-check"
import { expect, test } from "vitest"
import { OutputCapture, StreamCapture } from "../../../../../host/src/run/process/capture.js"
import { fitStreams } from "./command-data.js"
import { streamParts } from "./command-text.js"

const note = /\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n/

function captured(bytes: Buffer, keepBytes: number) {
  const capture = new StreamCapture(keepBytes)
  for (let start = 0; start < bytes.length; start += 1000) capture.take(bytes.subarray(start, start + 1000))
  return capture.finish()
}

const repeated = fc
  .tuple(fc.constantFrom("a", "é", "漢", "🙂", "line\n", "x\r\n"), fc.integer({ min: 0, max: 3_000 }))
  .map(([piece, times]) => piece.repeat(times))

test("cut streams fit into the limit together, one note each, with the true number of bytes left out", () => {
  fc.assert(
    fc.property(repeated, repeated, fc.integer({ min: 400, max: 6_000 }), (out, error, limit) => {
      const streams = { stdout: captured(Buffer.from(out), limit), stderr: captured(Buffer.from(error), limit) }
      const fitted = fitStreams(streams, limit)
      if (!streams.stdout.truncated && !streams.stderr.truncated) {
        expect(fitted).toEqual({ stdout: out, stderr: error })
        return
      }
      expect(Buffer.byteLength(fitted.stdout) + Buffer.byteLength(fitted.stderr)).toBeLessThanOrEqual(limit)
      for (const [whole, text] of [
        [out, fitted.stdout],
        [error, fitted.stderr],
      ] as const) {
        const parts = text.split(note)
        if (parts.length === 1) expect(text).toBe(whole)
        else {
          const [head, left, tail] = parts as [string, string, string]
          expect(parts).toHaveLength(3)
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
          expect(Number(left)).toBe(Buffer.byteLength(whole) - Buffer.byteLength(head) - Buffer.byteLength(tail))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test("a short stream stays whole beside a long one", () => {
  const stdout = captured(Buffer.from("o".repeat(100_000)), 1_000)
  const stderr = captured(Buffer.from("why it failed\n"), 1_000)
  const fitted = fitStreams({ stdout, stderr }, 1_000)
  expect(fitted.stderr).toBe("why it failed\n")
  expect(fitted.stdout.length).toBeGreaterThan(900)
})

test("any bytes and any limit give texts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.integer({ min: 1, max: 3_000 }), (bytes, limit) => {
      const stream = captured(Buffer.from(bytes), limit)
      const fitted = fitStreams({ stdout: stream, stderr: stream }, limit)
      expect(typeof fitted.stdout).toBe("string")
    }),
  )
})

test("the order fits the cut texts, and the parts come in the order of the whole ones", () => {
  const piece = fc.tuple(
    fc.constantFrom("stdout" as const, "stderr" as const),
    fc.constantFrom("é\n", "漢字\n", "🙂\n", "word\n"),
  )
  let cut = 0
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 40, maxLength: 150 }),
      fc.integer({ min: 200, max: 700 }),
      (pieces, limit) => {
        const capture = new OutputCapture(limit)
        for (const [stream, text] of pieces) capture.take(stream, Buffer.from(text))
        const output = { ...capture.finish(), outputPath: "/out" }
        const fitted = fitStreams(output, limit)
        const sums = [0, 0]
        for (const [index, length] of (fitted.order ?? [fitted.stdout.length, fitted.stderr.length]).entries()) {
          sums[index % 2]! += length
        }
        expect(sums).toEqual([fitted.stdout.length, fitted.stderr.length])
        if (capture.stdout.totalBytes + capture.stderr.totalBytes <= limit) return
        cut += 1
        const shown = streamParts(fitted).map(({ stream, text }) => [stream, text] as const)
        const firstOf = (parts: readonly (readonly [string, string])[]) => parts.find(([, text]) => text !== "")?.[0]
        expect(firstOf(shown)).toBe(firstOf(pieces))
        expect(firstOf(shown.toReversed())).toBe(firstOf(pieces.toReversed()))
      },
    ),
    { numRuns: 300 },
  )
  expect(cut).toBeGreaterThan(50)
})

test("streams that fit only apart are cut when a file has them, and left to the runtime when none has", () => {
  const half = captured(Buffer.from("x".repeat(900)), 1_000)
  expect(fitStreams({ stdout: half, stderr: half }, 1_000).stdout).toHaveLength(900)
  const fitted = fitStreams({ stdout: half, stderr: half, outputPath: "/out" }, 1_000)
  expect(fitted.stdout.length + fitted.stderr.length).toBeLessThanOrEqual(1_000)
})
