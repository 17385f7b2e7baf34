import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `calculator` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "multiplication comes before addition", input: { expression: "2 + 2 * 3" }, output: { result: 8 } },
  { name: "functions and powers", input: { expression: "sqrt(16)^3 / 2" }, output: { result: 32 } },
  { name: "a comparison is a boolean", input: { expression: "2^10 > 1000" }, output: { result: true } },
  { name: "a list is no single value", input: { expression: "[1, 2, 3]" }, fails: "invalid_args" },
  { name: "an expression that does not end", input: { expression: "2 +" }, fails: "invalid_args" },
]
