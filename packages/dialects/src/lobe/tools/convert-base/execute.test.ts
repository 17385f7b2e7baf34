import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../../../../tools/test/launcher-bench.js"
import { readInteger } from "./execute.js"
import { convertBase } from "./index.js"

let bench: LauncherBench
beforeAll(async () => {
  bench = await openLauncherBench()
})
afterAll(() => bench.close())

test.each([
  ["1010", 2, 10, "10"],
  [1010, 2, 10, "10"],
  ["Z", 36, 10, "35"],
  ["z", 36, 2, "100011"],
  ["-ff", 16, 8, "-377"],
  ["+7", 8, 2, "111"],
  ["0xFF", 16, 10, "255"],
  ["0b11", 2, 10, "3"],
  ["0b11", 16, 10, "2833"],
  ["-0", 10, 2, "0"],
  [" 007 ", 10, 16, "7"],
])("%s in base %i is in base %i %s", async (number, fromBase, toBase, result) => {
  expect(await bench.run(convertBase, { number, fromBase, toBase })).toMatchObject({ data: { result }, text: result })
})

test.each([
  ["1.5", 10, "fractions cannot be converted"],
  ["8", 8, '"8" is no digit there; the digits are 0 to 7'],
  ["G", 16, "the digits are 0 to 9 and A to F"],
  ["", 10, undefined],
  ["-", 10, "there are no digits"],
  ["1 0", 10, '" " is no digit there'],
  ["1e3", 10, '"E" is no digit there'],
  ["٣", 10, "is no digit there"],
])("%j in base %i is refused with the reason", async (number, fromBase, reason) => {
  if (reason === undefined) return expect(convertBase.manifest.input.safeParse({ number }).success).toBe(false)
  const error = await failure(bench.run(convertBase, { number, fromBase, toBase: 2 }))
  expect(error.code).toBe("invalid_args")
  expect(error.message).toContain(reason)
})

test("bases below 2 and above 36, and numbers that JSON has already rounded, are refused", () => {
  for (const input of [
    { number: "1", fromBase: 1, toBase: 2 },
    { number: "1", fromBase: 2, toBase: 37 },
    { number: 2 ** 53 + 2, fromBase: 10, toBase: 2 },
    { number: 1.5, fromBase: 10, toBase: 2 },
  ]) {
    expect(convertBase.manifest.input.safeParse(input).success).toBe(false)
  }
})

test("there and back is the same number, whatever its size", () => {
  const base = fc.integer({ min: 2, max: 36 })
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), base, (value, into) => {
      expect(readInteger(value.toString(into).toUpperCase(), into)).toBe(value)
    }),
  )
})
