import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `update_plan` promises; plans of other calls are in the tests. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a plan that is not there", input: { id: "plan_1", goal: "Another goal" }, fails: "not_found" },
  { name: "an end without a plan", input: { id: "plan_1", completed: true }, fails: "not_found" },
  { name: "nothing to change", input: { id: "plan_2" }, fails: "not_found" },
]
