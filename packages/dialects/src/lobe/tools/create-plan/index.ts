import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"
import { planSchema } from "../../plan.js"

export const manifest = defineManifest({
  id: "create_plan",
  title: "Create plan",
  description:
    "Keeps a plan for this session: what is wanted and why. Does none of the work, and holds no steps: those are todos. Use once, before longer work.",
  input: z.strictObject({
    goal: z.string().min(1).max(1_000).describe("What is wanted"),
    description: z.string().max(10_000).describe("One or two sentences"),
    context: z.string().max(100_000).describe("Background and constraints"),
  }),
  output: outputSchema({ plan: planSchema }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})

/** The id is all that the model does not know yet. */
const present: Present<typeof manifest> = ({ plan }) => [text(`Created plan ${plan.id}`)]

const messages: ToolMessages = {
  en: { title: "Create plan", loading: "Creating a plan", done: "Created a plan" },
  "zh-CN": { title: "创建计划", loading: "正在创建计划", done: "已创建计划" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plan with its background",
    input: {
      goal: "Move to the new parser",
      description: "The old one is slow",
      context: "Files above 1 MB take seconds",
    },
    output: {},
  },
  { name: "a plan without background", input: { goal: "Tidy up", description: "", context: "" }, output: {} },
  { name: "a plan in another language", input: { goal: "重构解析器", description: "更快", context: "无" }, output: {} },
]

/** Keeps a plan for the session. */
export const createPlan = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
})
