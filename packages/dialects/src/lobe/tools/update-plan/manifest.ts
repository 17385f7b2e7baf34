import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { planSchema } from "../../plan.js"

/** What is known about `update_plan` without running it. */
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
