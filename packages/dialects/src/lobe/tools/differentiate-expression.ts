import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import { expression, valueText } from "@haft/tools/launcher/shared/scalar.js"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const manifest = defineManifest({
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

/** Differentiates apart from this thread: derivatives can grow without bound. */
const execute: Execute<typeof manifest> = async (input, { compute, signal }) => ({
  result: String(await compute.calculate({ operation: "differentiate", ...input }, { signal })),
})

/** The bare value. */
const present: Present<typeof manifest> = ({ result }) => [text(valueText(result))]

const messages: ToolMessages = {
  en: { title: "Differentiate", loading: "Differentiating", done: "Differentiated" },
  "zh-CN": { title: "求导", loading: "正在求导", done: "已求导" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a power", input: { expression: "x^2", variable: "x" }, output: { result: "2 * x" } },
  { name: "a function", input: { expression: "sin(t)", variable: "t" }, output: { result: "cos(t)" } },
  { name: "a constant", input: { expression: "a", variable: "x" }, output: { result: "0" } },
  { name: "no expression", input: { expression: "x +", variable: "x" }, fails: "invalid_args" },
]

export const differentiateExpression = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/launcher/ui/value-faces.js"),
})
