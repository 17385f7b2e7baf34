import { nearestNames, type SessionMemory, ToolError } from "@haft/contract"
import * as z from "zod"

/** A plan: what is wanted and why; its steps are the todo list. */
export const planSchema = z.strictObject({
  id: z.string(),
  goal: z.string(),
  description: z.string(),
  context: z.string(),
  completed: z.boolean(),
  created_at: z.string().describe("ISO 8601, UTC"),
  updated_at: z.string(),
})

/** A plan of the session. */
export type Plan = z.infer<typeof planSchema>

/** Keeps a plan for the session, in the place of the one with the same id. */
export function keepPlan(memory: SessionMemory, plan: Plan): Plan {
  plansOf(memory).set(plan.id, plan)
  return plan
}

/** The plan with this id; an unknown one is `not_found` with the ids that there are. */
export function findPlan(memory: SessionMemory, id: string): Plan {
  const plans = plansOf(memory)
  const plan = plans.get(id)
  if (plan !== undefined) return plan
  const known = nearestNames(id, plans.keys(), 3)
  const shown = known.length > 0 ? known : [...plans.keys()].slice(0, 3)
  throw new ToolError("not_found", `Cannot update plan "${id}": this session has no plan of that id`, {
    hint: shown.length > 0 ? `There is ${shown.map((each) => `"${each}"`).join(", ")}` : "Create a plan first",
  })
}

const familyName = "plans"

function plansOf({ scratchpad }: SessionMemory): Map<string, Plan> {
  const kept = scratchpad.get(familyName)
  if (kept instanceof Map) return kept
  const plans = new Map<string, Plan>()
  scratchpad.set(familyName, plans)
  return plans
}
