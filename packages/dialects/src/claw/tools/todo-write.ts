import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type InputOf,
  type Present,
  type Todo,
  ToolError,
  type ToolMessages,
  text,
} from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const todos = z.array(
  z.strictObject({
    content: z.string(),
    active_form: z.string(),
    status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  }),
)

const manifest = defineManifest({
  id: "todo_write",
  title: "Todo list",
  description:
    "Replaces the session's todo list and returns the former one. A list that is all completed is cleared; an empty list is an error. Use for work of several steps.",
  input: z.strictObject({ todos }),
  output: outputSchema({
    old_todos: todos,
    new_todos: todos,
    verification_nudge_needed: z
      .literal(true)
      .optional()
      .describe("Three or more steps are completed and none was to verify the work"),
  }),
  requires: {},
  kind: "other",
  tier: "workspace-write",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "new_todos" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})

type Steps = InputOf<typeof manifest>["todos"]

/** Replaces the list; work that is all done needs none any more. */
const execute: Execute<typeof manifest> = async ({ todos }, { memory }) => {
  checkSteps(todos)
  const former = await memory.todos()
  const isDone = todos.every(({ status }) => status === "completed")
  memory.setTodos(isDone ? [] : todos)
  const isUnverified = isDone && todos.length >= 3 && !todos.some(({ content }) => /verif/i.test(content))
  return {
    old_todos: former.map(asStep),
    new_todos: todos,
    ...(isUnverified && { verification_nudge_needed: true as const }),
  }
}

function checkSteps(todos: Steps): void {
  if (todos.length === 0) throw unfit("it is empty; send at least one step")
  for (const [index, { content, active_form }] of todos.entries()) {
    if (content.trim() === "") throw unfit(`step ${index + 1} has no content`)
    if (active_form.trim() === "") throw unfit(`step ${index + 1} does not say what it is called while it runs`)
  }
}

/** A step that another tool kept may lack the words for while it runs. */
function asStep({ content, status, active_form }: Todo): Steps[number] {
  return { content, active_form: active_form ?? content, status }
}

function unfit(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot save the todo list: ${reason}`)
}

/** Acknowledges: the model has just written the list. */
const present: Present<typeof manifest> = ({ new_todos, verification_nudge_needed }) => {
  const open = new_todos.filter(({ status }) => status !== "completed" && status !== "cancelled").length
  const saved = open === 0 ? "Todo list done" : `Todo list saved: ${open} of ${new_todos.length} steps open`
  return [text(verification_nudge_needed ? `${saved}; nothing in it verified the work` : saved)]
}

const messages: ToolMessages = {
  en: { title: "Todo list", loading: "Updating the todo list", done: "Updated the todo list" },
  "zh-CN": { title: "待办列表", loading: "正在更新待办列表", done: "已更新待办列表" },
}

const step = (content: string, status: "pending" | "in_progress" | "completed") => ({
  content,
  active_form: `Doing: ${content}`,
  status,
})

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plan of two steps",
    input: { todos: [step("Fix the parser", "in_progress"), step("Run the tests", "pending")] },
    output: { old_todos: [] },
  },
  {
    name: "all done, and nothing verified it",
    input: { todos: ["Read", "Write", "Ship"].map((content) => step(content, "completed")) },
    output: { verification_nudge_needed: true },
  },
  { name: "an empty list", input: { todos: [] }, fails: "invalid_args" },
  {
    name: "a step without words",
    input: { todos: [{ content: " ", active_form: "x", status: "pending" }] },
    fails: "invalid_args",
  },
]

/** Replaces the session's list of steps and says what it was. */
export const todoWrite = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/agents/ui/todo-faces.js"),
})
