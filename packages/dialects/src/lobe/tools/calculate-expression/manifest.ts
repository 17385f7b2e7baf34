import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { expression, precision, scalar } from "@haft/tools/launcher/shared/scalar.js"

/** What is known about `calculate_expression` without running it. */
export const manifest = defineManifest({
  id: "calculate_expression",
  title: "Calculate",
  description: "Evaluates a mathematical expression and rounds the result. Use for all arithmetic that is not trivial.",
  input: z.strictObject({
    expression: expression.describe("For instance 2 + 3 * 4 or sqrt(16)"),
    precision: precision.default(10).describe("Decimal places of the result"),
  }),
  output: outputSchema({ result: scalar }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 20_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "calculator",
})
