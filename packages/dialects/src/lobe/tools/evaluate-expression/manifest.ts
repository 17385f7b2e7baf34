import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { expression, precision, scalar } from "@haft/tools/launcher/shared/scalar.js"

const variableName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)

/** What is known about `evaluate_expression` without running it. */
export const manifest = defineManifest({
  id: "evaluate_expression",
  title: "Evaluate expression",
  description:
    "Evaluates a mathematical expression with values for its variables, and rounds the result. Use for formulas.",
  input: z.strictObject({
    expression: expression.describe("For instance x^2 + 2*x + 1"),
    variables: z.record(variableName, z.number()).default({}).describe("Values by name"),
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
