import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { createCompute } from "./create-compute.js"

const compute = createCompute()
const signal = new AbortController().signal
afterAll(() => compute.close())

const evaluate = (expression: string, more: { variables?: Record<string, number>; precision?: number } = {}) =>
  compute.calculate({ operation: "evaluate", expression, ...more }, { signal })

test.each([
  ["2 + 2 * 3", 8],
  ["0.1 + 0.2", 0.3],
  ["7 / 2", 3.5],
  ["2 ^ 10", 1024],
  ["2 ** 10", 1024],
  ["7 % 3", 1],
  ["5!", 120],
  ["-0 * 1", 0],
  ["1 / 3", 0.3333333333333333],
  ["1 / 3 * 3", 1],
  ["1e-70", 1e-70],
  ["sin(pi)", 0],
  ["round(gamma(0.5), 6)", 1.772454],
  ["erf(1)", 0.8427007929497148],
  ["mean([1, 2, 6])", 3],
  ["9007199254740991", 9007199254740991],
  ["2 ^ 64", "18446744073709551616"],
  ["100!", 9.332621544394415e157],
  ["1 < 2", true],
  ["1 == 1 && 2 > 3", false],
  ["!(1 > 2) || false", true],
  ["3 != 4 and !false", true],
  ['"a"', "a"],
  ['"a" + "b && !c"', "ab && !c"],
  ["'x' == 'y'", false],
  ["a = 3; a * 2", 6],
  ["1 > 2 ? 3 : 4", 4],
])("%s is %j", async (expression, value) => {
  expect(await evaluate(expression)).toBe(value)
})

test("names have the values that the call gives them, and results are rounded where it asks", async () => {
  expect(await evaluate("x * y + 1", { variables: { x: 2, y: 0.1 } })).toBe(1.2)
  expect(await evaluate("2 / 3", { precision: 4 })).toBe(0.6667)
  expect(await evaluate("constructor", { variables: { constructor: 7 } })).toBe(7)
})

test.each([
  ["", "empty"],
  ["2 +", "end of expression"],
  ["(1, 2)", "expected"],
  ["[1, 2]", "matrix or list"],
  ["sqrt(-1)", "complex"],
  ["0 / 0", "not a number"],
  ["1 / 0", "infinite"],
  ["9 ^ 9 ^ 9 ^ 9", "too large"],
  ["5 cm", "unit"],
  ["f(x) = x", "function"],
  ["sin", "function"],
  ["x + 1", '"x" has no value'],
  ["undefined", "no value"],
  ["1:10", "range"],
  ["{a: 1}", "object"],
  ["import({pi: 3})", "no function"],
  ['evaluate("1")', "no function"],
  ['createUnit("foo")', "no function"],
  ['derivative("x", "x")', "no function"],
  ["ones(4000, 4000)", "no function"],
  ["cos.constructor", "parts"],
  ['"a".constructor("return 1")', "Cannot calculate"],
  ["constructor", "no value"],
  ["__proto__", "no value"],
  ["(".repeat(1900) + 1, "Cannot calculate"],
  ["1".repeat(5000), "longer"],
])("%s is no value, and the message says why", async (expression, reason) => {
  await expect(evaluate(expression)).rejects.toMatchObject({
    code: "invalid_args",
    message: expect.stringContaining(reason),
  })
})

test("work without an end is stopped, and the next expression has its value", async () => {
  const endless = compute
    .calculate({ operation: "evaluate", expression: "factorial(1e9)" }, { signal, timeoutMs: 300 })
    .catch((error: unknown) => error)
  expect(await evaluate("1 + 1")).toBe(2)
  expect(await endless).toMatchObject({ code: "timeout" })
  expect(await evaluate("1 + 2")).toBe(3)
})

describe("differentiate", () => {
  const differentiate = (expression: string, variable: string) =>
    compute.calculate({ operation: "differentiate", expression, variable }, { signal })

  test.each([
    ["x^2 + 3 * x", "x", "2 * x + 3"],
    ["sin(x) * a", "x", "a * cos(x)"],
    ["x^2", "y", "0"],
  ])("%s by %s is %s", async (expression, variable, derivative) => {
    expect(await differentiate(expression, variable)).toBe(derivative)
  })

  test("what has no derivative is refused", async () => {
    for (const [expression, variable] of [
      ["foo(x)", "x"],
      ["x^2", "1x"],
      ["f(x) = x", "x"],
      ["[x]", "x"],
    ] as const) {
      await expect(differentiate(expression, variable)).rejects.toMatchObject({ code: "invalid_args" })
    }
  })
})

test("sums and products of whole numbers are exact", async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.bigInt(-(10n ** 20n), 10n ** 20n), async (a, b) => {
      for (const [sign, value] of [
        ["+", a + b],
        ["*", a * b],
      ] as const) {
        expect(BigInt((await evaluate(`(${a}) ${sign} (${b})`)) as number | string)).toBe(value)
      }
    }),
    { numRuns: 60 },
  )
})

test("any text is a scalar or a refusal", async () => {
  const signs = fc.constantFrom(
    ..."0123456789+-*/%^&|<>=()[]{},.;:?\"'aeix \n".split(""),
    "sin(",
    "pi",
    "mod",
    "not ",
    "&&",
    "max(",
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array(signs, { maxLength: 12 }).map((all) => all.join("")),
        fc.string(),
      ),
      async (text) => {
        const value = await compute
          .calculate({ operation: "evaluate", expression: text }, { signal, timeoutMs: 500 })
          .catch((error: unknown) => error)
        if (value instanceof Error) expect(["invalid_args", "timeout"]).toContain((value as { code?: string }).code)
        else expect(["number", "string", "boolean"]).toContain(typeof value)
      },
    ),
    { numRuns: 300 },
  )
})
