import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { expression, precision, scalar, valueText } from "@haft/tools/launcher/shared/scalar.js"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

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

/** The bare value. */
const present: Present<typeof manifest> = ({ result }) => [text(valueText(result))]

const messages: ToolMessages = {
  en: { title: "Calculate", loading: "Calculating", done: "Calculated" },
  "zh-CN": { title: "计算", loading: "正在计算", done: "已计算" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a whole result", input: { expression: "2 + 3 * 4" }, output: { result: 14 } },
  { name: "rounded to two places", input: { expression: "2 / 3", precision: 2 }, output: { result: 0.67 } },
  { name: "rounded to whole numbers", input: { expression: "10 / 4", precision: 0 }, output: { result: 3 } },
  { name: "no expression", input: { expression: "three plus" }, fails: "invalid_args" },
]

/** Works out an expression and rounds the result. */
export const calculateExpression = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/launcher/ui/value-faces.js"),
})
