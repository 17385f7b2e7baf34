import { ToolError } from "@haft/contract"

/** A value of the language: 64-bit integers, floats, strings, booleans, tuples, or nothing. */
export type Value =
  | { readonly type: "int"; readonly value: bigint }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "tuple"; readonly values: readonly Value[]; readonly weight: number }
  | { readonly type: "empty" }

export const empty: Value = { type: "empty" }

/** An integer of 64 bits; what does not fit is an error, as in evalexpr. */
export function int(value: bigint, operation: string): Value {
  if (BigInt.asIntN(64, value) === value) return { type: "int", value }
  throw failure(`${operation} does not fit into a whole number of 64 bits; write a float, such as 2.0`)
}

export function float(value: number): Value {
  return { type: "float", value }
}

export function boolean(value: boolean): Value {
  return { type: "boolean", value }
}

// A chain of a += a doubles each time, and so does a tuple of itself.
const maxStringLength = 100_000
const maxTupleWeight = 10_000

export function string(value: string): Value {
  if (value.length <= maxStringLength) return { type: "string", value }
  throw failure(`a string has more than ${maxStringLength} characters`)
}

export function tuple(values: readonly Value[]): Value {
  const weight = values.reduce((sum, value) => sum + (value.type === "tuple" ? value.weight : 1), 1)
  if (weight <= maxTupleWeight) return { type: "tuple", values, weight }
  throw failure(`a tuple has more than ${maxTupleWeight} values`)
}

/** Same type and same value: 1 and 1.0 differ. */
export function equal(a: Value, b: Value): boolean {
  if (a.type === "tuple" || b.type === "tuple") {
    if (a.type !== "tuple" || b.type !== "tuple" || a.values.length !== b.values.length) return false
    return a.values.every((value, place) => equal(value, b.values[place]!))
  }
  if (a.type === "empty" || b.type === "empty") return a.type === b.type
  return a.type === b.type && a.value === b.value
}

/** A value as the language writes it. */
export function shown(value: Value): string {
  switch (value.type) {
    case "empty":
      return "()"
    case "tuple":
      return `(${value.values.map(shown).join(", ")})`
    case "string":
      return `"${value.value}"`
    case "float":
      return floatText(value.value)
    default:
      return String(value.value)
  }
}

/** The shortest digits that mean this float, never with an exponent, as Rust writes it. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN"
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf"
  if (Object.is(value, -0)) return "-0"
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value))
  if (parts === null) return String(value)
  const [, sign, first, rest = "", power] = parts
  const exponent = Number(power)
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${first}${rest}`
  return `${sign}${first}${rest}${"0".repeat(exponent - rest.length)}`
}

export function failure(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot calculate: ${reason}`)
}

/** A value for a message: long ones by their beginning. */
export function quoted(value: Value): string {
  const words = shown(value)
  return words.length > 60 ? `${words.slice(0, 60)}…` : words
}

/** The number behind an int or a float. */
export function numberOf(value: Value): number {
  if (value.type === "int") return Number(value.value)
  if (value.type === "float") return value.value
  throw failure(`${quoted(value)} is a ${value.type}, not a number`)
}

export function intOf(value: Value): bigint {
  if (value.type === "int") return value.value
  throw failure(`${quoted(value)} is a ${value.type}, not a whole number`)
}

export function stringOf(value: Value): string {
  if (value.type === "string") return value.value
  throw failure(`${quoted(value)} is a ${value.type}, not a string`)
}

export function booleanOf(value: Value): boolean {
  if (value.type === "boolean") return value.value
  throw failure(`${quoted(value)} is a ${value.type}, not a boolean`)
}

/** The values of a tuple, of exactly this many where a number is given. */
export function valuesOf(value: Value, length?: number): readonly Value[] {
  const values = value.type === "tuple" ? value.values : undefined
  if (values !== undefined && (length === undefined || values.length === length)) return values
  throw failure(`${quoted(value)} is not a tuple${length === undefined ? "" : ` of ${length} values`}`)
}
