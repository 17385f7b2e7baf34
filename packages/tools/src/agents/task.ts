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
  id: "task",
  title: "Task",
  description:
    "Gives a piece of work to another agent, which sees nothing but the prompt and answers with its last words. Use for searches in many places and for work of its own; say all that it must know.",
  input: z.strictObject({
    subagent_type: z.string().min(1).max(200).describe("A listed agent, or the session_id of one to go on"),
    prompt: z.string().min(1).describe("The whole task"),
    background: z.boolean().default(false).describe("Go on at once; its report comes later"),
  }),
  output: outputSchema({
    session_id: z.string(),
    output: z.string().optional().describe("Absent while the agent works in the background"),
    stopped: z.string().optional().describe("Why it ended before it was done"),
    missing_tools: z.array(z.string()).optional(),
  }),
  requires: {},
  operands: ["subagent_type", "prompt"],
  toolset: "locked",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "full-access",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["output"], keep: "head" },
  // Its work is in the journal of its own session: the same call finds it there again.
  retry: "safe",
  // It may wait for a person; every model and every tool in it has a time of its own.
  timeoutMs: 24 * 60 * 60 * 1000,
  effects: () => [],
})

const execute: Execute<typeof manifest> = async (input, { subagents, callId, signal }) => {
  const { subagent_type, prompt, background } = input
  const request = { agent: subagent_type, prompt, background }
  const { sessionId, end, missingTools } = await subagents.run(request, { callId, signal })
  const missing = missingTools.length > 0 ? { missing_tools: [...missingTools] } : {}
  if (end === undefined) return { session_id: sessionId, ...missing }
  const stopped = end.reason === "done" ? {} : { stopped: `${end.reason}: ${end.message ?? "it gave no reason"}` }
  return { session_id: sessionId, output: end.output, ...stopped, ...missing }
}

const present: Present<typeof manifest> = ({ session_id, output, stopped, missing_tools = [] }) => {
  if (output === undefined) {
    return [
      text(`The agent works in the background (session ${session_id}). Its report will come by itself: do not wait`),
    ]
  }
  const notes = [
    ...(stopped === undefined ? [] : [`[It ended early: ${stopped}. Let it go on with subagent_type "${session_id}"]`]),
    ...(missing_tools.length === 0 ? [] : [`[It had to do without ${missing_tools.join(", ")}]`]),
  ]
  return [text([output === "" ? "(The agent said nothing)" : output, ...notes].join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Task", loading: "An agent is at work", done: "An agent did a task" },
  "zh-CN": {
    title: "子任务",
    loading: "子代理正在工作",
    done: "子代理已完成任务",
    summary: "把一项工作交给另一个智能体，取回它的最终答复",
  },
}

export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a search",
    input: { subagent_type: "explore", prompt: "Where is the port number set?" },
    output: { session_id: "ses_explore", output: "explore: Where is the port number set?" },
  },
  {
    name: "in the background",
    input: { subagent_type: "general", prompt: "Run the tests and say which fail", background: true },
    output: { session_id: "ses_general" },
  },
  {
    name: "going on with an earlier agent",
    input: { subagent_type: "ses_explore", prompt: "Go on" },
    output: { session_id: "ses_explore", output: "ses_explore: Go on" },
  },
  {
    name: "an agent that there is not",
    input: { subagent_type: "painter", prompt: "Paint the fence" },
    fails: "not_found",
  },
]

/** Starts another agent. */
export const task = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/task-faces.js"),
})
