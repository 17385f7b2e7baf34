import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { expression, scalar } from "../shared/scalar.js"

/** What is known about `calculator` without running it. */
export const manifest = defineManifest({
  id: "calculator",
  title: "Calculator",
  description:
    "Evaluates a mathematical expression to one number, text or boolean; gives no matrices, units or complex numbers. Use for all arithmetic that is not trivial.",
  input: z.strictObject({ expression: expression.describe("For instance 2 + 2 * 3 or sqrt(2)^3") }),
  output: outputSchema({ result: scalar }),
  requires: {},
  toolset: "launcher",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 20_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
