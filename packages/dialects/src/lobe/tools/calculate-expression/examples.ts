import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `calculate_expression` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a whole result", input: { expression: "2 + 3 * 4" }, output: { result: 14 } },
  { name: "rounded to two places", input: { expression: "2 / 3", precision: 2 }, output: { result: 0.67 } },
  { name: "rounded to whole numbers", input: { expression: "10 / 4", precision: 0 }, output: { result: 3 } },
  { name: "no expression", input: { expression: "three plus" }, fails: "invalid_args" },
]
