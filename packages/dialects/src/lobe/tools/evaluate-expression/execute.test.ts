import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../../../../tools/test/launcher-bench.js"
import { evaluateExpression } from "./index.js"

let bench: LauncherBench
beforeAll(async () => {
  bench = await openLauncherBench()
})
afterAll(() => bench.close())

test("variables take their values", async () => {
  const input = { expression: "x^2 + 2*x*y", variables: { x: 3, y: 0.5 } }
  expect((await bench.run(evaluateExpression, input)).data).toEqual({ result: 12 })
})

test("a variable without a value is an error", async () => {
  expect((await failure(bench.run(evaluateExpression, { expression: "x + missing" }))).code).toBe("invalid_args")
})

test.each([[{ "a b": 1 }], [{ "": 1 }], [{ _x: 1 }], [{ x: "1" }], [{ x: null }]])(
  "variables %j are refused",
  (variables) => {
    expect(evaluateExpression.manifest.input.safeParse({ expression: "1", variables }).success).toBe(false)
  },
)

test("names that every object has are no variables", async () => {
  const variables = JSON.parse('{ "__proto__": 5 }')
  for (const expression of ["__proto__", "constructor", "toString + 1"]) {
    expect((await failure(bench.run(evaluateExpression, { expression, variables }))).code).toBe("invalid_args")
  }
})
