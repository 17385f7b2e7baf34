import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { precision } from "@haft/tools/launcher/shared/scalar.js"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

export const manifest = defineManifest({
  id: "sort_numbers",
  title: "Sort numbers",
  description:
    "Sorts decimal numbers exactly, smallest first, or gives the largest or the smallest. Use to compare numbers.",
  input: z.strictObject({
    numbers: z
      .array(z.union([z.string().min(1).max(1_000), z.number()]))
      .min(1)
      .max(10_000),
    mode: z.enum(["value", "largest", "smallest"]).default("value").describe("value gives the sorted list"),
    reverse: z.boolean().default(false).describe("Largest first"),
    precision: precision.optional().describe("Decimal places of the result; as written by default"),
  }),
  output: outputSchema({
    result: z.union([z.array(z.string()), z.string()]).describe("The list, or the one number that mode asks for"),
    largest: z.string(),
    smallest: z.string(),
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

/** The numbers on one line, or the one number. */
const present: Present<typeof manifest> = ({ result }) => [
  text(typeof result === "string" ? result : result.join(", ")),
]

const messages: ToolMessages = {
  en: { title: "Sort numbers", loading: "Sorting numbers", done: "Sorted numbers" },
  "zh-CN": { title: "数字排序", loading: "正在排序", done: "已排序" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "numbers and texts together",
    input: { numbers: ["3.14", 2.5, "-1e2"] },
    output: { result: ["-1e2", "2.5", "3.14"], largest: "3.14", smallest: "-1e2" },
  },
  { name: "which is larger", input: { numbers: ["9.11", "9.9"], mode: "largest" }, output: { result: "9.9" } },
  {
    name: "largest first, rounded",
    input: { numbers: [1.005, 20, 3], reverse: true, precision: 2 },
    output: { result: ["20.00", "3.00", "1.01"] },
  },
  { name: "a word is no number", input: { numbers: ["1", "many"] }, fails: "invalid_args" },
]

/** Sorts numbers exactly. */
export const sortNumbers = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
})
