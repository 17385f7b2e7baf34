import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { evaluate } from "./evaluate.js"
import { shown } from "./value.js"

const value = (expression: string) => shown(evaluate(expression))

function reason(expression: string): string {
  try {
    evaluate(expression)
  } catch (error) {
    if (ToolError.is(error) && error.code === "invalid_args") return error.message
    throw error
  }
  throw new Error(`"${expression}" has a value`)
}

// From the crate's documentation: operators and their precedence, the aggregation, assignment and chaining operators, functions.
describe("as the documentation of evalexpr says", () => {
  test.each([
    ["1 + 2 + 3", "6"],
    ["1 - 2 * 3", "-5"],
    ["1.0 + 2 * 3", "7"],
    ["true && 4 > 2", "true"],
    ["1 / 2", "0"],
    ["1.0 / 2", "0.5"],
    ["5/2", "2"],
    ["-5/2", "-2"],
    ["-5 % 3", "-2"],
    ["5.5 % 2", "1.5"],
    ["typeof(2^2)", '"float"'],
    ["2^2", "4"],
    ["2^3^2", "64"],
    ["-2^2", "-4"],
    ["2^-1", "0.5"],
    ['1, "b", 3', '(1, "b", 3)'],
    ['1, 2, (true, "b")', '(1, 2, (true, "b"))'],
    ["a = 2; a *= 2; a += 2; a", "6"],
    ["a = 2.2; a /= 2.0 / 4 + 1; a", String(2.2 / 1.5)],
    ['a = "abc"; a += "def"; a', '"abcdef"'],
    ["a = true; a &&= false; a", "false"],
    ["1;2;3;4", "4"],
    ["1;2;3;4;", "()"],
    ["a = 5", "()"],
    ["", "()"],
    ["()", "()"],
    ["math::sqrt(16)", "4"],
    ["math::sqrt 16", "4"],
    ['len("abc")', "3"],
    ['len "é"', "2"],
    ["len(1, 2, 3)", "3"],
    ["min(4, 2.5, 3)", "2.5"],
    ["max(4, 2.5, 3)", "4"],
    ["typeof(max(1, 2))", '"int"'],
    ["round(-2.5)", "-3"],
    ["round 2.5", "3"],
    ["floor(2.7) + ceil(2.1)", "5"],
    ["math::abs(-3)", "3"],
    ["math::log(8, 2)", "3"],
    ["math::hypot(3, 4)", "5"],
    ['if(1 < 2, "yes", "no")', '"yes"'],
    ["contains((1, 2), 2)", "true"],
    ["contains_any((1, 2), (3, 2))", "true"],
    ['str::to_uppercase("ß")', '"SS"'],
    ['str::trim("  x ")', '"x"'],
    ["str::from(2.0)", '"2"'],
    ['str::from("a")', '""a""'],
    ["str::from(1e21)", '"1000000000000000000000"'],
    ["str::from(1e-7)", '"0.0000001"'],
    ["str::from(1, ())", '"(1, ())"'],
    ['str::substring("hello", 1, 3)', '"el"'],
    ['str::substring("hello", 3)', '"lo"'],
    ["bitand(12, 10) + bitor(12, 10) + bitxor(12, 10)", "28"],
    ["bitnot(0)", "-1"],
    ["shl(1, 63)", "-9223372036854775808"],
    ["shr(-8, 1)", "-4"],
    ["0xff + 1", "256"],
    ["1e-3 * 1e+3", "1"],
    ["1 == 1.0", "false"],
    ["(1, 2) == (1, 2)", "true"],
    ['"a" < "b"', "true"],
    ['"\\"\\\\"', '""\\"'],
    ["1 < 2 == true", "true"],
    ["1 + 1 // two\n + 1 /* three */", "3"],
    ["9007199254740993", "9007199254740993"],
    ["9223372036854775807", "9223372036854775807"],
    ["typeof(9223372036854775808)", '"float"'],
    ["!true || true", "true"],
    ["3 > 2 && 2 > 1 || false", "true"],
  ])("%s", (expression, expected) => {
    expect(value(expression)).toBe(expected)
  })
})

test.each([
  ["2 +", "missing at its end"],
  ["* 2", 'missing before "*"'],
  ["(1", "not closed"],
  ["1)", "not expected"],
  ["1 2", "not expected"],
  ["(1)(2)", "not expected"],
  ['"open', "not closed"],
  ['"\\n"', "no escape"],
  ["1 & 2", "write it twice"],
  ["x", 'no variable "x"'],
  ["sqrt(4)", 'no function "sqrt"; "math::sqrt"'],
  ["constructor(1)", 'no function "constructor"'],
  ["__proto__ 1", 'no function "__proto__"'],
  ["1 / 0", "divides by zero"],
  ["1 % 0", "divides by zero"],
  ["9223372036854775807 + 1", "does not fit"],
  ["3037000500 * 3037000500", "does not fit"],
  ["(-9223372036854775807 - 1) / -1", "does not fit"],
  ["math::abs(-9223372036854775807 - 1)", "does not fit"],
  ["shl(1, 64)", "shift by 64"],
  ['1 + "a"', "not a number"],
  ["true + 1", "not a number"],
  ["1 && true", "not a boolean"],
  ["1 < 2 < 3", "not a number"],
  ["a = 1; a = 2.0", "holds a int and cannot hold the float 2"],
  ["b += 1", 'no variable "b"'],
  ["min(1)", "not a tuple"],
  ['str::substring("é", 1, 2)', "in two"],
  ['str::substring("abc", 2, 9)', "does not have"],
])("%s is refused with its reason", (expression, words) => {
  expect(reason(expression)).toContain(words)
})

describe("hostile expressions end soon, with words", () => {
  test.each([
    ["deep braces", `${"(".repeat(5_000)}1${")".repeat(4_999)}`],
    ["a long row of signs", `${"-".repeat(9_000)}1`],
    ["functions of functions", `${"floor ".repeat(1_600)}1`],
    ["a string that doubles", `a = "xxxxxxxx"; ${"a += a; ".repeat(60)}a`],
    ["a tuple that doubles", `a = (1, 2); ${"a = (a, a); ".repeat(60)}str::from(a)`],
    ["assignments in a row", `${"a = ".repeat(2_400)}1`],
  ])("%s", (_, expression) => {
    const started = performance.now()
    expect(reason(expression)).toMatch(/nested|characters|values/)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  test("a huge power is a float, and a long sum is a sum", () => {
    expect(value("9^9^9^9")).toBe("inf")
    expect(value(Array.from({ length: 4_900 }, () => "1").join("+"))).toBe("4900")
  })
})

test("whole numbers obey i64: the exact result, or an error", () => {
  let fitting = 0
  let refused = 0
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n), fc.bigInt(-(2n ** 33n), 2n ** 33n), (a, b) => {
      const text = (each: bigint) => (each < 0n ? `(-${-each})` : `${each}`)
      for (const [sign, exact] of [
        ["+", a + b],
        ["-", a - b],
        ["*", a * b],
        ["/", b === 0n ? undefined : a / b],
        ["%", b === 0n ? undefined : a % b],
      ] as const) {
        const expression = `${text(a)} ${sign} ${text(b)}`
        if (exact !== undefined && BigInt.asIntN(64, exact) === exact) {
          fitting += 1
          expect(value(expression)).toBe(String(exact))
        } else {
          refused += 1
          expect(reason(expression)).toMatch(/does not fit|zero/)
        }
      }
    }),
  )
  expect(Math.min(fitting, refused)).toBeGreaterThan(20)
})

test("floats are those of JavaScript, whatever the braces", () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: 0, max: 1e9 }),
      fc.double({ noNaN: true, min: 1e-9, max: 1e9 }),
      (a, b) => {
        const text = (each: number) => (Number.isInteger(each) ? `${each}.0` : `${each}`)
        expect(Number(value(`(${text(a)}) * ${text(b)} - ${text(b)} / (${text(b)} + ${text(a)})`))).toBe(
          a * b - b / (b + a),
        )
      },
    ),
  )
})

test("any text has a value or is invalid_args", () => {
  const piece = fc.constantFrom(
    ...'+-*/%^()!<>=&|,;"\\ '.split(""),
    "1",
    "2.5",
    "a",
    "len",
    "min",
    "true",
    '"s"',
    "1e",
    "::",
  )
  let values = 0
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string()), { maxLength: 12 }), (parts) => {
      try {
        evaluate(parts.join(""))
        values += 1
      } catch (error) {
        expect(ToolError.is(error) && error.code).toBe("invalid_args")
      }
    }),
    { numRuns: 2_000 },
  )
  expect(values).toBeGreaterThan(20)
})
