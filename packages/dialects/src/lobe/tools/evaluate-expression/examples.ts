import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `evaluate_expression` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a polynomial", input: { expression: "x^2 + 2*x + 1", variables: { x: 5 } }, output: { result: 36 } },
  {
    name: "two variables, rounded",
    input: { expression: "sqrt(a^2 + b^2)", variables: { a: 1, b: 2 }, precision: 3 },
    output: { result: 2.236 },
  },
  { name: "no variables", input: { expression: "7 * 6" }, output: { result: 42 } },
  { name: "a variable without a value", input: { expression: "x + 1" }, fails: "invalid_args" },
]
