import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"
import { keptTodosFields, todoStatus, todoSummary } from "../../kept-todos.js"

const index = z.int().min(0).describe("From 0, in the list as the operations before it left it")

const operation = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("add"), text: z.string().trim().min(1) }),
  z.strictObject({
    type: z.literal("update"),
    index,
    text: z.string().trim().min(1).optional(),
    status: todoStatus.optional(),
  }),
  z.strictObject({ type: z.literal("remove"), index }),
])

/** One change of the list. */
export type TodoOperation = z.infer<typeof operation>

export const manifest = defineManifest({
  id: "update_todos",
  title: "Update todos",
  description:
    "Changes steps of the session's todo list by their place, in the order given; all changes or none. Does none of the work itself. Use when a step starts, ends or changes.",
  input: z.strictObject({ operations: z.array(operation).min(1).max(200) }),
  output: outputSchema({ applied: z.int().min(1), ...keptTodosFields }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})

/** The list with its places, because the next change names them. */
const present: Present<typeof manifest> = ({ applied, todos }) => {
  const lines = todos.map(({ content, status }, index) => `${index}. [${status}] ${shortened(content)}`)
  return [text([`Applied ${applied}: ${todoSummary(todos)}`, ...lines].join("\n"))]
}

function shortened(content: string): string {
  const line = content.replace(/\s+/g, " ")
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

const messages: ToolMessages = {
  en: { title: "Update todos", loading: "Updating todos", done: "Updated todos" },
  "zh-CN": { title: "更新待办", loading: "正在更新待办", done: "已更新待办" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "add, then finish what was added",
    input: {
      operations: [
        { type: "add", text: "Fix the parser" },
        { type: "update", index: 0, status: "completed" },
      ],
    },
    output: { applied: 2, todos: [{ content: "Fix the parser", status: "completed" }] },
  },
  {
    name: "add and remove",
    input: {
      operations: [
        { type: "add", text: "One" },
        { type: "add", text: "Two" },
        { type: "remove", index: 0 },
      ],
    },
    output: { applied: 3, todos: [{ content: "Two", status: "pending" }] },
  },
  {
    name: "a place that is not there changes nothing",
    input: {
      operations: [
        { type: "add", text: "One" },
        { type: "remove", index: 1 },
      ],
    },
    fails: "invalid_args",
  },
]

/** Changes steps of the session's todo list, all or none. */
export const updateTodos = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/agents/ui/todo-faces.js"),
})
