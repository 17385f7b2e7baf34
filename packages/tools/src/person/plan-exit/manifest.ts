import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `plan_exit` without running it. */
export const manifest = defineManifest({
  id: "plan_exit",
  title: "Plan",
  description:
    "Shows the person a finished plan; when it is approved, plan mode ends and the work may begin. Use in plan mode when nothing is left to find out.",
  input: z.strictObject({ plan: z.string().min(1).describe("The whole plan, Markdown") }),
  output: outputSchema({
    approved: z.boolean(),
    reason: z.string().optional().describe("What the person said"),
  }),
  requires: {},
  toolset: "code",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 24 * 60 * 60 * 1000,
  effects: () => [],
})
