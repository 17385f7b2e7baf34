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

const todos = z.array(
  z.strictObject({
    content: z.string().trim().min(1).describe("What to do"),
    status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
    active_form: z.string().optional().describe("The step as it is called while it runs"),
  }),
)
const count = z.int().min(0)

const manifest = defineManifest({
  id: "todo",
  title: "Todo list",
  description:
    "Replaces the session's todo list; send the whole list each time. Does none of the work itself. Use for work of three or more steps, and when a step starts or ends.",
  input: z.strictObject({ todos: todos.describe("The whole list in order; empty clears it") }),
  output: outputSchema({
    todos,
    counts: z.strictObject({ pending: count, in_progress: count, completed: count, cancelled: count }),
  }),
  requires: {},
  toolset: "locked",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  habits: {
    merge: "Leave it out and send the whole list: it replaces the former one",
  },
})

/** Of the list before: nobody compares more steps. */
const maxShown = 200

/** Replaces the session's list and counts its states. */
const execute: Execute<typeof manifest> = async ({ todos }, { memory, setState }) => {
  setState({ before: (await memory.todos()).slice(0, maxShown) })
  memory.setTodos(todos)
  const counts = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 }
  for (const { status } of todos) counts[status] += 1
  return { todos, counts }
}

/** Acknowledges with counts: the model has just written the list and need not read it again. */
const present: Present<typeof manifest> = ({ counts }) => {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status.replace("_", " ")}`)
  return [text(parts.length === 0 ? "Todo list cleared" : `Todo list saved: ${parts.join(", ")}`)]
}

const messages: ToolMessages = {
  en: { title: "Todo list", loading: "Updating the todo list", done: "Updated the todo list" },
  "zh-CN": { title: "待办列表", loading: "正在更新待办列表", done: "已更新待办列表", summary: "替换会话的待办列表" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plan of three steps",
    input: {
      todos: [
        { content: "Find the failing test", status: "completed" },
        { content: "Fix the parser", status: "in_progress", active_form: "Fixing the parser" },
        { content: "Run all tests", status: "pending" },
      ],
    },
    output: { counts: { pending: 1, in_progress: 1, completed: 1, cancelled: 0 } },
  },
  {
    name: "a step that is no longer needed",
    input: { todos: [{ content: "Write a migration", status: "cancelled" }] },
    output: { counts: { pending: 0, in_progress: 0, completed: 0, cancelled: 1 } },
  },
  {
    name: "an empty list clears it",
    input: { todos: [] },
    output: { todos: [], counts: { pending: 0, in_progress: 0, completed: 0, cancelled: 0 } },
  },
]

/** Keeps the session's list of steps. */
export const todo = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/todo-faces.js"),
})
