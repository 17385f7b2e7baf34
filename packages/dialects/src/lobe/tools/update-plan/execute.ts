import type { Execute } from "@haft/contract"
import { findPlan, keepPlan } from "../../plan.js"
import type { manifest } from "./index.js"

/** Changes what the call names and leaves the rest of the plan as it is. */
export const execute: Execute<typeof manifest> = async ({ id, ...changes }, { memory }) => {
  const plan = findPlan(memory, id)
  const { goal = plan.goal, description = plan.description, context = plan.context } = changes
  const { completed = plan.completed } = changes
  const changed = { ...plan, goal, description, context, completed, updated_at: new Date().toISOString() }
  return { plan: keepPlan(memory, changed) }
}
