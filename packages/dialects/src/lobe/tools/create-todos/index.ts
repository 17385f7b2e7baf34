import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"
import { keptTodosFields, todoSummary } from "../../kept-todos.js"

export const manifest = defineManifest({
  id: "create_todos",
  title: "Add todos",
  description:
    "Adds steps to the end of the session's todo list. Does none of the work itself. Use for new steps; to change some use update_todos.",
  input: z.strictObject({ adds: z.array(z.string().trim().min(1)).min(1).max(200).describe("One text a step") }),
  output: outputSchema({ added: z.int().min(1), ...keptTodosFields }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})

/** Acknowledges with counts: the model has just written the steps. */
const present: Present<typeof manifest> = ({ added, todos }) => [
  text(`Added ${added} ${added === 1 ? "item" : "items"}: ${todoSummary(todos)}`),
]

const messages: ToolMessages = {
  en: { title: "Add todos", loading: "Adding todos", done: "Added todos" },
  "zh-CN": { title: "添加待办", loading: "正在添加待办", done: "已添加待办" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two steps",
    input: { adds: ["Find the failing test", "Fix it"] },
    output: {
      added: 2,
      todos: [
        { content: "Find the failing test", status: "pending" },
        { content: "Fix it", status: "pending" },
      ],
    },
  },
  {
    name: "blanks around a step do not count",
    input: { adds: ["  Fix it "] },
    output: { added: 1, todos: [{ content: "Fix it", status: "pending" }] },
  },
  {
    name: "the same step twice is two steps",
    input: { adds: ["Fix it", "Fix it"] },
    output: { added: 2 },
  },
]

/** Adds steps to the session's todo list. */
export const createTodos = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/agents/ui/todo-faces.js"),
})
