import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

const manifest = defineManifest({
  id: "plan_exit",
  title: "Plan",
  description:
    "Shows the person a finished plan; when it is approved, plan mode ends and the work may begin. Use in plan mode when nothing is left to find out.",
  input: z.strictObject({ plan: z.string().min(1).describe("The whole plan, Markdown") }),
  output: outputSchema({
    approved: z.boolean(),
    reason: z.string().optional().describe("What the person said"),
  }),
  requires: {},
  operands: ["plan"],
  toolset: "code",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 24 * 60 * 60 * 1000,
  effects: () => [],
})

/** Proposes the end of plan mode; only a person's yes makes it happen, and it is the host that does it. */
export const execute: Execute<typeof manifest> = async ({ plan }, { conversation }) => {
  const { approved, reason } = await conversation.reviewPlan(plan)
  return { approved, ...(reason !== undefined && { reason }) }
}

/** What the person decided, and what follows from it. */
const present: Present<typeof manifest> = ({ approved, reason }) => {
  const said = reason === undefined ? "" : `: ${reason}`
  return [
    text(
      approved
        ? `The plan is approved${said}. Plan mode has ended; begin with the first step`
        : `The plan is not approved${said}. Plan mode goes on; revise the plan`,
    ),
  ]
}

const messages: ToolMessages = {
  en: { title: "Plan", loading: "Waiting for the plan to be reviewed", done: "The plan was reviewed" },
  "zh-CN": {
    title: "计划",
    loading: "正在等待审阅计划",
    done: "计划已审阅",
    summary: "向你展示完成的计划；批准后计划模式结束，可以开始工作",
  },
}

export const examples: readonly Example<typeof manifest>[] = [
  { name: "approved", input: { plan: "1. Write a failing test\n2. Fix the parser" }, output: { approved: true } },
  {
    name: "sent back with a reason",
    input: { plan: "1. Rewrite everything" },
    output: { approved: false, reason: "too much at once" },
  },
  { name: "nobody is there", input: { plan: "1. Delete the cache" }, output: { approved: false } },
]

/** Asks the person to accept a plan. */
export const planExit = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/plan-faces.js"),
})
