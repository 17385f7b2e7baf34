import type { Execute } from "@haft/contract"
import { keepPlan } from "../../plan.js"
import type { manifest } from "./index.js"

/** Keeps a new plan; its id comes from the call, so that no two plans of a session share one. */
export const execute: Execute<typeof manifest> = async (input, { memory, callId }) => {
  const now = new Date().toISOString()
  const plan = keepPlan(memory, {
    id: `plan_${callId}`,
    ...input,
    completed: false,
    created_at: now,
    updated_at: now,
  })
  return { plan }
}
