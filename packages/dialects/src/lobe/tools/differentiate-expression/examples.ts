import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `differentiate_expression` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a power", input: { expression: "x^2", variable: "x" }, output: { result: "2 * x" } },
  { name: "a function", input: { expression: "sin(t)", variable: "t" }, output: { result: "cos(t)" } },
  { name: "a constant", input: { expression: "a", variable: "x" }, output: { result: "0" } },
  { name: "no expression", input: { expression: "x +", variable: "x" }, fails: "invalid_args" },
]
