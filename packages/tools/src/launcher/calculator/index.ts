import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { expression, scalar, valueText } from "../shared/scalar.js"

export const manifest = defineManifest({
  id: "calculator",
  title: "Calculator",
  description:
    "Evaluates a mathematical expression to one number, text or boolean; gives no matrices, units or complex numbers. Use for all arithmetic that is not trivial.",
  input: z.strictObject({ expression: expression.describe("For instance 2 + 2 * 3 or sqrt(2)^3") }),
  output: outputSchema({ result: scalar }),
  requires: {},
  operands: ["expression"],
  toolset: "launcher",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 20_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** The bare value. */
const present: Present<typeof manifest> = ({ result }) => [text(valueText(result))]

const messages: ToolMessages = {
  en: { title: "Calculator", loading: "Calculating", done: "Calculated" },
  "zh-CN": {
    title: "计算器",
    loading: "正在计算",
    done: "已计算",
    summary: "计算数学表达式，得到一个数、文本或布尔值",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "multiplication comes before addition", input: { expression: "2 + 2 * 3" }, output: { result: 8 } },
  { name: "functions and powers", input: { expression: "sqrt(16)^3 / 2" }, output: { result: 32 } },
  { name: "a comparison is a boolean", input: { expression: "2^10 > 1000" }, output: { result: true } },
  { name: "a list is no single value", input: { expression: "[1, 2, 3]" }, fails: "invalid_args" },
  { name: "an expression that does not end", input: { expression: "2 +" }, fails: "invalid_args" },
]

/** Works out a mathematical expression. */
export const calculator = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/value-faces.js"),
})
