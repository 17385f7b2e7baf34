import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `sort_numbers` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "numbers and texts together",
    input: { numbers: ["3.14", 2.5, "-1e2"] },
    output: { result: ["-1e2", "2.5", "3.14"], largest: "3.14", smallest: "-1e2" },
  },
  { name: "which is larger", input: { numbers: ["9.11", "9.9"], mode: "largest" }, output: { result: "9.9" } },
  {
    name: "largest first, rounded",
    input: { numbers: [1.005, 20, 3], reverse: true, precision: 2 },
    output: { result: ["20.00", "3.00", "1.01"] },
  },
  { name: "a word is no number", input: { numbers: ["1", "many"] }, fails: "invalid_args" },
]
