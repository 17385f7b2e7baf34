import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../../../../tools/test/launcher-bench.js"
import { compareDecimals, readDecimal, writeDecimal } from "./execute.js"
import { sortNumbers } from "./index.js"

let bench: LauncherBench
beforeAll(async () => {
  bench = await openLauncherBench()
})
afterAll(() => bench.close())

const sorted = async (input: unknown) => (await bench.run(sortNumbers, input)).data.result

test("numbers are sorted by value and stay as they were written", async () => {
  expect(await sorted({ numbers: ["10", 9, "9.0", "1e1", "-.5", " 2 "] })).toEqual([
    "-.5",
    "2",
    "9",
    "9.0",
    "10",
    "1e1",
  ])
})

test("what floating point cannot tell apart is distinguished", async () => {
  const numbers = ["9007199254740993", "9007199254740992", "0.1000000000000000000001", "0.1"]
  expect(await sorted({ numbers })).toEqual([numbers[3], numbers[2], numbers[1], numbers[0]])
})

test.each([
  ["value", false, ["1", "2", "3"], "1, 2, 3"],
  ["value", true, ["3", "2", "1"], "3, 2, 1"],
  ["largest", false, "3", "3"],
  ["largest", true, "3", "3"],
  ["smallest", true, "1", "1"],
])("mode %s, reverse %s: %j", async (mode, reverse, result, text) => {
  const found = await bench.run(sortNumbers, { numbers: [2, 3, 1], mode, reverse })
  expect(found).toEqual({ data: { result, largest: "3", smallest: "1" }, text })
})

test("a precision rounds halves away from zero, exactly", async () => {
  const numbers = ["1.005", "-1.005", "2", "0.0049", "1e-30", "12e2"]
  expect(await sorted({ numbers, precision: 2 })).toEqual(["-1.01", "0.00", "0.00", "1.01", "2.00", "1200.00"])
  expect(await sorted({ numbers: ["2.5", "-0.4"], precision: 0 })).toEqual(["0", "3"])
})

test.each(["many", "", "1,5", "0x10", "1e", ".", "Infinity", "NaN", "1e999999999", "--1"])(
  "%j is no number",
  async (text) => {
    if (text === "") return expect(sortNumbers.manifest.input.safeParse({ numbers: [text] }).success).toBe(false)
    const error = await failure(bench.run(sortNumbers, { numbers: ["1", text] }))
    expect(error.code).toBe("invalid_args")
    expect(error.message).toContain(`"${text}"`)
  },
)

test("an empty list is refused", () => {
  expect(sortNumbers.manifest.input.safeParse({ numbers: [] }).success).toBe(false)
})

test("the order is that of the numbers, and writing agrees with toFixed wherever that is exact", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(number, number, (one, other) => {
      const order = compareDecimals(readDecimal(String(one)), readDecimal(String(other)))
      expect(order).toBe(one < other ? -1 : one > other ? 1 : 0)
    }),
  )
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 20 }), (value, places) => {
      expect(writeDecimal(readDecimal(String(value)), places)).toBe(value.toFixed(places))
    }),
  )
})
