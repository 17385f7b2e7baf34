import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { expression } from "@haft/tools/launcher/shared/scalar.js"

/** What is known about `differentiate_expression` without running it. */
export const manifest = defineManifest({
  id: "differentiate_expression",
  title: "Differentiate",
  description: "Gives the derivative of an expression by one variable, as an expression. Use for symbolic calculus.",
  input: z.strictObject({
    expression: expression.describe("For instance x^2 + sin(x)"),
    variable: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)
      .describe("For instance x"),
  }),
  output: outputSchema({ result: z.string() }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 20_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "calculator",
})
