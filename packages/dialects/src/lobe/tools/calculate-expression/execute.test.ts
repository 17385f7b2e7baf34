import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../../../../tools/test/launcher-bench.js"
import { calculateExpression } from "./index.js"

let bench: LauncherBench
beforeAll(async () => {
  bench = await openLauncherBench()
})
afterAll(() => bench.close())

test.each([
  [{ expression: "2 / 3" }, "0.6666666667"],
  [{ expression: "2 / 3", precision: 0 }, "1"],
  [{ expression: "2 / 3", precision: 20 }, expect.stringMatching(/^0\.6{14}/)],
  [{ expression: "1.005 * 100", precision: 1 }, "100.5"],
])("%j reads %s: ten decimal places unless told otherwise", async (input, text) => {
  expect((await bench.run(calculateExpression, input)).text).toEqual(text)
})

test("a precision outside 0 to 20 is refused, and so is what is no expression", async () => {
  for (const precision of [-1, 21, 1.5]) {
    expect(calculateExpression.manifest.input.safeParse({ expression: "1", precision }).success).toBe(false)
  }
  expect((await failure(bench.run(calculateExpression, { expression: "1 +* 2" }))).code).toBe("invalid_args")
})
