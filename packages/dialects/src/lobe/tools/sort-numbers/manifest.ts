import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { precision } from "@haft/tools/launcher/shared/scalar.js"

/** What is known about `sort_numbers` without running it. */
export const manifest = defineManifest({
  id: "sort_numbers",
  title: "Sort numbers",
  description:
    "Sorts decimal numbers exactly, smallest first, or gives the largest or the smallest. Use to compare numbers.",
  input: z.strictObject({
    numbers: z
      .array(z.union([z.string().min(1).max(1_000), z.number()]))
      .min(1)
      .max(10_000),
    mode: z.enum(["value", "largest", "smallest"]).default("value").describe("value gives the sorted list"),
    reverse: z.boolean().default(false).describe("Largest first"),
    precision: precision.optional().describe("Decimal places of the result; as written by default"),
  }),
  output: outputSchema({
    result: z.union([z.array(z.string()), z.string()]).describe("The list, or the one number that mode asks for"),
    largest: z.string(),
    smallest: z.string(),
  }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "calculator",
})
