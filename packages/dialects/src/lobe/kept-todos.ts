import type { SessionMemory, Todo } from "@haft/contract"
import * as z from "zod"

/** The states of a step that a caller may set. */
export const todoStatus = z.enum(["pending", "in_progress", "completed"])

/** The list as it is after a change, and when that was. */
export const keptTodosFields = {
  todos: z.array(
    z.strictObject({
      content: z.string(),
      status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
      active_form: z.string().optional(),
    }),
  ),
  updated_at: z.string().describe("ISO 8601, UTC"),
}

/** Keeps a changed list and returns these fields. */
export function keepTodos(memory: SessionMemory, todos: readonly Todo[]) {
  memory.setTodos(todos)
  return { todos: todos.map((todo) => ({ ...todo })), updated_at: new Date().toISOString() }
}

/** How many steps there are and how many are done, for the model. */
export function todoSummary(todos: readonly Todo[]): string {
  if (todos.length === 0) return "the list is empty"
  const done = todos.filter(({ status }) => status === "completed").length
  return `${todos.length} ${todos.length === 1 ? "item" : "items"}, ${done} completed`
}
