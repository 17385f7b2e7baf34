import type { ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { lobeRow } from "./lobe-row.js"

const calculator = "lobe-calculator"
const expression = z.string().min(1)
const precision = z.int().min(0).max(20).optional().describe("Decimal places (0-20, default 10)")

/** The package's five APIs. */
export const calculatorRows = [
  lobeRow(calculator, {
    api: "calculate",
    titles: { en: "Calculate", "zh-CN": "计算" },
    tool: "calculate_expression",
    description: "Calculate the result of a mathematical expression.",
    input: z.strictObject({ expression: expression.describe("For instance (2 + 3) * sqrt(4)"), precision }),
    toArguments: given,
    state: dataWithoutHead,
  }),
  lobeRow(calculator, {
    api: "evaluate",
    titles: { en: "Evaluate an expression", "zh-CN": "代入求值" },
    tool: "evaluate_expression",
    description: "Evaluate a mathematical expression with variables.",
    input: z.strictObject({
      expression: expression.describe("For instance x^2 + y"),
      variables: z.record(z.string(), z.number()).optional().describe("Values by name"),
      precision,
    }),
    toArguments: given,
    state: dataWithoutHead,
  }),
  lobeRow(calculator, {
    api: "base",
    titles: { en: "Convert base", "zh-CN": "进制转换" },
    tool: "convert_base",
    description: "Convert a whole number from one base to another.",
    input: z.strictObject({
      number: z.union([z.string().min(1), z.number()]).describe("The number as it is written in fromBase"),
      fromBase: z.int().min(2).max(36),
      toBase: z.int().min(2).max(36),
    }),
    toArguments: (input) => input,
    state: dataWithoutHead,
  }),
  lobeRow(calculator, {
    api: "sort",
    titles: { en: "Sort numbers", "zh-CN": "数字排序" },
    tool: "sort_numbers",
    description: "Sort numbers, or find the largest or smallest of them.",
    input: z.strictObject({
      numbers: z.array(z.union([z.number(), z.string()])).min(1),
      mode: z
        .enum(["value", "largest", "smallest"])
        .optional()
        .describe("The sorted list (value, default) or one number"),
      reverse: z.boolean().optional().describe("Largest first"),
      precision,
    }),
    toArguments: given,
    state: dataWithoutHead,
  }),
  lobeRow(calculator, {
    api: "differentiate",
    titles: { en: "Differentiate", "zh-CN": "求导" },
    tool: "differentiate_expression",
    description: "Find the derivative of an expression.",
    input: z.strictObject({ expression, variable: z.string().min(1).describe("The variable to differentiate by") }),
    toArguments: (input) => input,
    state: dataWithoutHead,
  }),
] as const

function dataWithoutHead(result: ToolResult): unknown {
  const { head, ...data } = dataOf<Record<string, unknown>>(result)
  return data
}
