import type { Execute } from "@haft/contract"
import { compareDecimals, type Decimal, readDecimal, writeDecimal } from "./decimal.js"
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
