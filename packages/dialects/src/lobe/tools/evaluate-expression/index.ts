import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { expression, precision, scalar, valueText } from "@haft/tools/launcher/shared/scalar.js"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const variableName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)

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

/** The bare value. */
const present: Present<typeof manifest> = ({ result }) => [text(valueText(result))]

const messages: ToolMessages = {
  en: { title: "Evaluate expression", loading: "Evaluating", done: "Evaluated" },
  "zh-CN": { title: "表达式求值", loading: "正在求值", done: "已求值" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a polynomial", input: { expression: "x^2 + 2*x + 1", variables: { x: 5 } }, output: { result: 36 } },
  {
    name: "two variables, rounded",
    input: { expression: "sqrt(a^2 + b^2)", variables: { a: 1, b: 2 }, precision: 3 },
    output: { result: 2.236 },
  },
  { name: "no variables", input: { expression: "7 * 6" }, output: { result: 42 } },
  { name: "a variable without a value", input: { expression: "x + 1" }, fails: "invalid_args" },
]

/** Works out an expression with variables. */
export const evaluateExpression = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/launcher/ui/value-faces.js"),
})
