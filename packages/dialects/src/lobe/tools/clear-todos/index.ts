import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"
import { keptTodosFields, todoSummary } from "../../kept-todos.js"

export const manifest = defineManifest({
  id: "clear_todos",
  title: "Clear todos",
  description:
    "Removes the completed steps, or all, from the session's todo list. Does not undo any work. Use when the list is done with.",
  input: z.strictObject({ mode: z.enum(["completed", "all"]) }),
  output: outputSchema({ cleared: z.int().min(0), ...keptTodosFields }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})

/** How many are gone and what is left. */
const present: Present<typeof manifest> = ({ cleared, todos }) => [
  text(`Cleared ${cleared} ${cleared === 1 ? "item" : "items"}: ${todoSummary(todos)}`),
]

const messages: ToolMessages = {
  en: { title: "Clear todos", loading: "Clearing todos", done: "Cleared todos" },
  "zh-CN": { title: "清除待办", loading: "正在清除待办", done: "已清除待办" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "all of an empty list", input: { mode: "all" }, output: { cleared: 0, todos: [] } },
  { name: "the completed ones of an empty list", input: { mode: "completed" }, output: { cleared: 0, todos: [] } },
  { name: "twice is the same as once", input: { mode: "all" }, output: { todos: [] } },
]

/** Removes steps from the session's todo list. */
export const clearTodos = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/agents/ui/todo-faces.js"),
})
