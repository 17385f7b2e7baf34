import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../../tools/test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../../../tools/test/launcher-bench.js"
import { differentiateExpression } from "./differentiate-expression.js"

let bench: LauncherBench
beforeAll(async () => {
  bench = await openLauncherBench()
})
afterAll(() => bench.close())

test.each([
  ["x^2", "x", "2 * x"],
  ["sin(t)", "t", "cos(t)"],
  ["3", "x", "0"],
])("the derivative of %s by %s is %s", async (expression, variable, result) => {
  expect(await bench.run(differentiateExpression, { expression, variable })).toEqual({ data: { result }, text: result })
})

test("what cannot be differentiated is an error", async () => {
  for (const expression of ["x +", "[x, 2]"]) {
    expect((await failure(bench.run(differentiateExpression, { expression, variable: "x" }))).code).toBe("invalid_args")
  }
})
