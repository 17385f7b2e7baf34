import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../../test/launcher-bench.js"
import { calculator } from "./index.js"

let bench: LauncherBench
beforeAll(async () => {
  bench = await openLauncherBench()
})
afterAll(() => bench.close())

test.each([
  ["2 + 2 * 3", 8, "8"],
  ["0.1 + 0.2", 0.3, "0.3"],
  ["10 / 4", 2.5, "2.5"],
  ["2 < 3", true, "true"],
  ['"hello"', "hello", "hello"],
])("[B10] %s is the scalar %s, and the model reads the bare value", async (expression, result, text) => {
  expect(await bench.run(calculator, { expression })).toEqual({ data: { result }, text })
})

test.each(["", "2 +", "[1, 2]", "1, 2", "sqrt(-1)", "5 cm", "f(x) = x", "0 / 0", "1 / 0", "nothing"])(
  "[B10] %j gives no scalar and is an error, not a result",
  async (expression) => {
    if (expression === "") return expect(calculator.manifest.input.safeParse({ expression }).success).toBe(false)
    const error = await failure(bench.run(calculator, { expression }))
    expect(error.code).toBe("invalid_args")
    expect(error.message).toMatch(/^Cannot /)
  },
)

test("a missing or misspelt argument is refused", () => {
  for (const input of [{}, { expression: 3 }, { expression: "1", extra: 1 }, { expression: "1".repeat(2_001) }]) {
    expect(calculator.manifest.input.safeParse(input).success).toBe(false)
  }
})
