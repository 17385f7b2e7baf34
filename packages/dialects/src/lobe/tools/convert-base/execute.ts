import type { Execute } from "@haft/contract"
import type { manifest } from "./index.js"
import { readInteger } from "./read-integer.js"

/** Reads the digits in one base and writes them in the other. */
export const execute: Execute<typeof manifest> = async ({ number, fromBase, toBase }) => {
  const value = readInteger(String(number), fromBase)
  return { result: value.toString(toBase).toUpperCase(), decimal: value.toString() }
}
