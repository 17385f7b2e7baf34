import { type Execute, ToolError } from "@haft/contract"
import type { manifest } from "./index.js"

/** Sorts by value; equal numbers keep their order. */
export const execute: Execute<typeof manifest> = async ({ numbers, mode, reverse, precision }) => {
  const sorted = numbers
    .map((number) => ({ spelled: String(number).trim(), value: readDecimal(String(number)) }))
    .sort((one, other) => compareDecimals(one.value, other.value))
    .map(({ spelled, value }) => written(spelled, value, precision))
  const largest = sorted.at(-1)!
  const smallest = sorted[0]!
  return { result: { largest, smallest, value: reverse ? sorted.toReversed() : sorted }[mode], largest, smallest }
}

function written(spelled: string, value: Decimal, precision: number | undefined): string {
  return precision === undefined ? spelled : writeDecimal(value, precision)
}

/** A decimal number as it is, without rounding: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Reads a number such as `-12.50`, `.5` or `3e8`; infinities and other words are no numbers. */
export function readDecimal(spelled: string): Decimal {
  const [, sign, whole = "", fraction = "", power = "0"] = form.exec(spelled.trim()) ?? []
  if (sign === undefined || whole + fraction === "") throw refusal(spelled, "it is not a decimal number")
  const exponent = Number(power) - fraction.length
  if (Math.abs(exponent) > maxExponent) throw refusal(spelled, "its exponent is too large")
  const digits = BigInt(whole + fraction)
  return { digits: sign === "-" ? -digits : digits, exponent }
}

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,9}))?$/i
// Beyond this a number written out would be a page of zeros.
const maxExponent = 10_000

/** Negative when `one` is smaller, positive when it is larger, 0 when both are the same number. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const exponent = Math.min(one.exponent, other.exponent)
  const difference = scaled(one, exponent) - scaled(other, exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The number with exactly so many decimal places, halves rounded away from zero. */
export function writeDecimal(number: Decimal, places: number): string {
  const units = roundedUnits(number, places)
  const text = (units < 0n ? -units : units).toString().padStart(places + 1, "0")
  const whole = text.slice(0, text.length - places)
  return `${units < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${text.slice(-places)}`}`
}

function roundedUnits({ digits, exponent }: Decimal, places: number): bigint {
  const shift = exponent + places
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  const half = digits < 0n ? -divisor / 2n : divisor / 2n
  return (digits + half) / divisor
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}

function refusal(spelled: string, reason: string): ToolError {
  const shown = spelled.length > 50 ? `${spelled.slice(0, 50)}...` : spelled
  return new ToolError("invalid_args", `Cannot read "${shown}" as a number: ${reason}`)
}
