import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

/** Longer ones are refused: the evaluator reads each character a few times, in the process of the session. */
const maxExpressionLength = 10_000

export const manifest = defineManifest({
  id: "evalexpr",
  title: "Evaluate expression",
  description:
    "Evaluates one expression with the rules of Rust's evalexpr: 64-bit whole numbers that divide to whole numbers, floats, strings, booleans. Use where an expression of that language is given.",
  input: z.strictObject({ expression: z.string().max(maxExpressionLength) }),
  output: outputSchema({
    result: z.union([z.number(), z.string(), z.boolean()]),
    type: z.enum(["int", "float", "string", "boolean"]).describe("An int beyond 2^53 is its digits in result"),
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

/** The value as it is written in the language, strings without their quotes. */
const present: Present<typeof manifest> = ({ result }) => [text(String(result))]

const messages: ToolMessages = {
  en: { title: "Calculate", loading: "Calculating", done: "Calculated" },
  "zh-CN": { title: "计算", loading: "正在计算", done: "已计算" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "whole numbers stay whole", input: { expression: "7 / 2" }, output: { result: 3, type: "int" } },
  { name: "a float makes it a float", input: { expression: "7.0 / 2" }, output: { result: 3.5, type: "float" } },
  { name: "a function", input: { expression: 'math::sqrt(16) + len("abc")' }, output: { result: 7, type: "float" } },
  { name: "steps", input: { expression: "a = 2; a *= 3; a" }, output: { result: 6, type: "int" } },
  { name: "a tuple is no answer", input: { expression: "1, 2" }, fails: "invalid_args" },
]

/** Evaluates an expression of evalexpr. */
export const evalexpr = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/launcher/ui/value-faces.js"),
})
