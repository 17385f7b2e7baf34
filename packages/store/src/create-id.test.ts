import fc from "fast-check"
import { expect, test } from "vitest"
import { createId } from "./create-id.js"

test("[C2-167] ids sort in the order in which they were made, also when the clock steps back", () => {
  // Inside one round of the 48-bit counter, which lasts two years.
  const start = 1_730_000_000_000
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2, maxLength: 200 }), (steps) => {
      let now = start
      const ids = steps.map((step) => {
        now += step
        return createId("prt", now)
      })
      expect([...ids].sort()).toEqual(ids)
    }),
    { numRuns: 50 },
  )
})

test("an id is a prefix, 12 hex digits and 14 base62 characters, and is never given twice", () => {
  const ids = Array.from({ length: 20_000 }, () => createId("ses"))
  for (const id of ids) expect(id).toMatch(/^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/)
  expect(ids[0]).toHaveLength(30)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
})
