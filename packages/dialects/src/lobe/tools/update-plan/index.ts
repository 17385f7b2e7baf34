import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"
import { planSchema } from "../../plan.js"

export const manifest = defineManifest({
  id: "update_plan",
  title: "Update plan",
  description:
    "Changes a plan of this session; what is left out stays. Use when the goal itself changes, not for progress: that is in the todos.",
  input: z.strictObject({
    id: z.string().min(1).describe("As create_plan returned it"),
    goal: z.string().min(1).max(1_000).optional(),
    description: z.string().max(10_000).optional(),
    context: z.string().max(100_000).optional(),
    completed: z.boolean().optional(),
  }),
  output: outputSchema({ plan: planSchema }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})

/** Acknowledges; the model has just written what changed. */
const present: Present<typeof manifest> = ({ plan }) => [
  text(`Updated plan ${plan.id}${plan.completed ? ": completed" : ""}`),
]

const messages: ToolMessages = {
  en: { title: "Update plan", loading: "Updating the plan", done: "Updated the plan" },
  "zh-CN": { title: "更新计划", loading: "正在更新计划", done: "已更新计划" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a plan that is not there", input: { id: "plan_1", goal: "Another goal" }, fails: "not_found" },
  { name: "an end without a plan", input: { id: "plan_1", completed: true }, fails: "not_found" },
  { name: "nothing to change", input: { id: "plan_2" }, fails: "not_found" },
]

/** Changes a plan of the session. */
export const updatePlan = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
})
