import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `convert_base` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "hexadecimal to binary",
    input: { number: "fF", fromBase: 16, toBase: 2 },
    output: { result: "11111111", decimal: "255" },
  },
  {
    name: "a negative number beyond 64 bits",
    input: { number: "-340282366920938463463374607431768211456", fromBase: 10, toBase: 16 },
    output: { result: "-100000000000000000000000000000000" },
  },
  { name: "a number instead of text", input: { number: 1010, fromBase: 2, toBase: 10 }, output: { result: "10" } },
  { name: "a digit that the base lacks", input: { number: "129", fromBase: 8, toBase: 10 }, fails: "invalid_args" },
  { name: "a fraction", input: { number: "1.5", fromBase: 10, toBase: 2 }, fails: "invalid_args" },
]
