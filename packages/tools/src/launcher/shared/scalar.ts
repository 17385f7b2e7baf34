import { type CalculatedValue, ToolError } from "@haft/contract"
import * as z from "zod"

/** What a calculation can give. */
export const scalar = z.union([z.number(), z.string(), z.boolean()])

/** An expression as an argument. */
export const expression = z.string().min(1).max(2_000)

/** Decimal places to round to, as an argument. */
export const precision = z.int().min(0).max(20)

/** The value, if JSON can say it: infinities and what is no number are not results. */
export function finite(value: CalculatedValue, spelled: string): CalculatedValue {
  if (typeof value !== "number" || Number.isFinite(value)) return value
  throw new ToolError("invalid_args", `Cannot calculate "${shortened(spelled)}": the result is not a finite number`)
}

/** The bare value; text that is empty is shown as such. */
export function valueText(value: CalculatedValue): string {
  return value === "" ? '""' : String(value)
}

function shortened(spelled: string): string {
  return spelled.length > 100 ? `${spelled.slice(0, 100)}...` : spelled
}
