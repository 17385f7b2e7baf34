import * as fc from "fast-check"
import { expect, test } from "vitest"
import { timeScale } from "./time-scale.js"

test("a pause of an hour is as wide as one of three seconds", () => {
  const places = timeScale([
    { start: 0, end: 1000 },
    { start: 3_600_000, end: 3_601_000 },
  ])
  expect(places).toEqual([
    { start: 0, end: 0.2 },
    { start: 0.8, end: 1 },
  ])
})

test("places are on the line, in order, and have a width", () => {
  const spans = fc.array(fc.record({ start: fc.nat(1_000_000), length: fc.nat(100_000) }), {
    minLength: 1,
    maxLength: 50,
  })
  fc.assert(
    fc.property(spans, (given) => {
      const sorted = given
        .map(({ start, length }) => ({ start, end: start + length }))
        .sort((a, b) => a.start - b.start)
      const places = timeScale(sorted)
      for (const [index, { start, end }] of places.entries()) {
        expect(start).toBeGreaterThanOrEqual(places[index - 1]?.start ?? 0)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(1.000001)
      }
    }),
  )
})
