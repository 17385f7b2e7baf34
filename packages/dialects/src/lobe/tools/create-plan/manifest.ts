import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { planSchema } from "../../plan.js"

/** What is known about `create_plan` without running it. */
export const manifest = defineManifest({
  id: "create_plan",
  title: "Create plan",
  description:
    "Keeps a plan for this session: what is wanted and why. Does none of the work, and holds no steps: those are todos. Use once, before longer work.",
  input: z.strictObject({
    goal: z.string().min(1).max(1_000).describe("What is wanted"),
    description: z.string().max(10_000).describe("One or two sentences"),
    context: z.string().max(100_000).describe("Background and constraints"),
  }),
  output: outputSchema({ plan: planSchema }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})
