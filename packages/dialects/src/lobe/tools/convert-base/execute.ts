import { type Execute, ToolError } from "@haft/contract"
import type { manifest } from "./index.js"

/** Reads the digits in one base and writes them in the other. */
export const execute: Execute<typeof manifest> = async ({ number, fromBase, toBase }) => {
  const value = readInteger(String(number), fromBase)
  return { result: value.toString(toBase).toUpperCase(), decimal: value.toString() }
}

/** The whole number that these digits say in a base; `0x`, `0o` and `0b` may be before digits of their base. */
export function readInteger(spelled: string, base: number): bigint {
  const { sign, digits } = partsOf(spelled.trim().toUpperCase(), base)
  if (digits === "") throw refusal(spelled, base, "there are no digits")
  let value = 0n
  for (const digit of digits) {
    const worth = alphabet.indexOf(digit)
    if (worth < 0 || worth >= base) throw refusal(spelled, base, reasonFor(digit, base))
    value = value * BigInt(base) + BigInt(worth)
  }
  return sign === "-" ? -value : value
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const prefixes: Readonly<Record<number, string>> = { 2: "0B", 8: "0O", 16: "0X" }

function partsOf(number: string, base: number): { readonly sign: string; readonly digits: string } {
  const sign = /^[+-]/.exec(number)?.[0] ?? ""
  const rest = number.slice(sign.length)
  const prefix = prefixes[base]
  return { sign, digits: prefix !== undefined && rest.startsWith(prefix) ? rest.slice(2) : rest }
}

function reasonFor(digit: string, base: number): string {
  if (digit === "." || digit === ",") return "fractions cannot be converted; send a whole number"
  const last = alphabet[base - 1]
  return `"${digit}" is no digit there; the digits are 0 to ${base > 10 ? `9 and A to ${last}` : last}`
}

function refusal(spelled: string, base: number, reason: string): ToolError {
  const shown = spelled.length > 50 ? `${spelled.slice(0, 50)}...` : spelled
  return new ToolError("invalid_args", `Cannot read "${shown}" in base ${base}: ${reason}`)
}
