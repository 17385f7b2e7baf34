import {
  boolean,
  booleanOf,
  equal,
  failure,
  float,
  int,
  intOf,
  numberOf,
  quoted,
  shown,
  string,
  stringOf,
  type Value,
  valuesOf,
} from "./value.js"

type BuiltinFunction = (argument: Value) => Value

const ofNumber =
  (compute: (value: number) => number): BuiltinFunction =>
  (argument) =>
    float(compute(numberOf(argument)))

const ofTwoNumbers =
  (compute: (a: number, b: number) => number): BuiltinFunction =>
  (argument) => {
    const [a, b] = valuesOf(argument, 2).map(numberOf) as [number, number]
    return float(compute(a, b))
  }

const ofTwoInts =
  (compute: (a: bigint, b: bigint) => bigint): BuiltinFunction =>
  (argument) => {
    const [a, b] = valuesOf(argument, 2).map(intOf) as [bigint, bigint]
    return int(BigInt.asIntN(64, compute(a, b)), "it")
  }

const ofString =
  (change: (text: string) => string): BuiltinFunction =>
  (argument) =>
    string(change(stringOf(argument)))

const test =
  (holds: (value: number) => boolean): BuiltinFunction =>
  (argument) =>
    boolean(holds(numberOf(argument)))

const smallestNormal = 2 ** -1022

/** The functions that every expression has; those that evalexpr has only by choice (`random`, regular expressions) are not among them. */
export const functions: Readonly<Record<string, BuiltinFunction>> = {
  min: (argument) => extreme(valuesOf(argument), (a, b) => a < b),
  max: (argument) => extreme(valuesOf(argument), (a, b) => a > b),
  len: lengthOf,
  floor: ofNumber(Math.floor),
  // Half away from zero, where JavaScript goes up.
  round: ofNumber((value) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5)),
  ceil: ofNumber(Math.ceil),
  if: (argument) => {
    const [condition, yes, no] = valuesOf(argument, 3) as [Value, Value, Value]
    return booleanOf(condition) ? yes : no
  },
  contains: (argument) => {
    const [values, wanted] = valuesOf(argument, 2) as [Value, Value]
    return boolean(valuesOf(values).some((value) => equal(value, wanted)))
  },
  contains_any: (argument) => {
    const [values, wanted] = valuesOf(argument, 2).map((each) => valuesOf(each)) as [readonly Value[], readonly Value[]]
    return boolean(wanted.some((each) => values.some((value) => equal(value, each))))
  },
  typeof: (argument) => string(argument.type),
  "math::is_nan": test(Number.isNaN),
  "math::is_finite": test(Number.isFinite),
  "math::is_infinite": test((value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  "math::is_normal": test((value) => Number.isFinite(value) && Math.abs(value) >= smallestNormal),
  "math::ln": ofNumber(Math.log),
  "math::log": ofTwoNumbers((value, base) => Math.log(value) / Math.log(base)),
  "math::log2": ofNumber(Math.log2),
  "math::log10": ofNumber(Math.log10),
  "math::exp": ofNumber(Math.exp),
  "math::exp2": ofNumber((value) => 2 ** value),
  "math::pow": ofTwoNumbers(power),
  "math::cos": ofNumber(Math.cos),
  "math::acos": ofNumber(Math.acos),
  "math::cosh": ofNumber(Math.cosh),
  "math::acosh": ofNumber(Math.acosh),
  "math::sin": ofNumber(Math.sin),
  "math::asin": ofNumber(Math.asin),
  "math::sinh": ofNumber(Math.sinh),
  "math::asinh": ofNumber(Math.asinh),
  "math::tan": ofNumber(Math.tan),
  "math::atan": ofNumber(Math.atan),
  "math::tanh": ofNumber(Math.tanh),
  "math::atanh": ofNumber(Math.atanh),
  "math::atan2": ofTwoNumbers(Math.atan2),
  "math::sqrt": ofNumber(Math.sqrt),
  "math::cbrt": ofNumber(Math.cbrt),
  "math::hypot": ofTwoNumbers(Math.hypot),
  "math::abs": (argument) => {
    if (argument.type !== "int") return float(Math.abs(numberOf(argument)))
    return int(argument.value < 0n ? -argument.value : argument.value, `math::abs(${argument.value})`)
  },
  "str::to_lowercase": ofString((text) => text.toLowerCase()),
  "str::to_uppercase": ofString((text) => text.toUpperCase()),
  "str::trim": ofString((text) => text.trim()),
  "str::from": (argument) => string(shown(argument)),
  "str::substring": substring,
  bitand: ofTwoInts((a, b) => a & b),
  bitor: ofTwoInts((a, b) => a | b),
  bitxor: ofTwoInts((a, b) => a ^ b),
  bitnot: (argument) => int(~intOf(argument), "it"),
  shl: ofTwoInts((a, b) => a << shift(b)),
  shr: ofTwoInts((a, b) => a >> shift(b)),
}

/** As floats, where 1 to the power of anything is 1: JavaScript disagrees for NaN and infinity. */
export function power(base: number, exponent: number): number {
  return base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY) ? 1 : base ** exponent
}

/** The best whole number, unless a float is as good or better. */
function extreme(values: readonly Value[], better: (a: number | bigint, b: number | bigint) => boolean): Value {
  let best: Value | undefined
  for (const value of values) {
    const number = numberOf(value)
    if (Number.isNaN(number)) continue
    const kept = best === undefined ? undefined : numberOf(best)
    const isFirstFloat = kept === number && value.type === "float" && best?.type === "int"
    const isBetterInt = best?.type === "int" && value.type === "int" && better(value.value, best.value)
    if (kept === undefined || better(number, kept) || isFirstFloat || isBetterInt) best = value
  }
  if (best !== undefined) return best
  throw failure("min and max need a number")
}

/** Bytes of a string in UTF-8, as Rust counts, or values of a tuple. */
function lengthOf(argument: Value): Value {
  if (argument.type === "string") return int(BigInt(bytesOf(argument.value).length), "it")
  if (argument.type === "tuple") return int(BigInt(argument.values.length), "it")
  throw failure(`${quoted(argument)} is a ${argument.type}, and len takes a string or a tuple`)
}

/** A part of a string by bytes in UTF-8: from, and up to where it is given. */
function substring(argument: Value): Value {
  const [subject, from, to] = valuesOf(argument)
  const bytes = bytesOf(stringOf(subject!))
  const start = from === undefined ? -1n : intOf(from)
  const end = to === undefined ? BigInt(bytes.length) : intOf(to)
  if (start < 0n || start > end || end > BigInt(bytes.length) || valuesOf(argument).length > 3)
    throw failure(`${quoted(argument)} names a part that the string does not have`)
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(Number(start), Number(end)))
  if (bytesOf(text).length === Number(end - start) && !text.includes("\ufffd")) return string(text)
  throw failure(`${quoted(argument)} cuts a character in two`)
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function shift(by: bigint): bigint {
  if (by >= 0n && by < 64n) return by
  throw failure(`a shift by ${by} is not possible; shift by 0 to 63`)
}
