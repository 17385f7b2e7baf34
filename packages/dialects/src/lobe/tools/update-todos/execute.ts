import { type Execute, type Todo, ToolError } from "@haft/contract"
import { keepTodos } from "../../kept-todos.js"
import type { manifest, TodoOperation } from "./index.js"

/** Keeps the list as all operations leave it. */
export const execute: Execute<typeof manifest> = async ({ operations }, { memory }) => ({
  applied: operations.length,
  ...keepTodos(memory, applyOperations(await memory.todos(), operations)),
})

/** The list after all operations, one after the other; a place that is not there is `invalid_args`. */
export function applyOperations(todos: readonly Todo[], operations: readonly TodoOperation[]): readonly Todo[] {
  const list = [...todos]
  for (const [place, operation] of operations.entries()) {
    if (operation.type === "add") {
      list.push({ content: operation.text, status: "pending" })
      continue
    }
    const current = list[operation.index]
    if (current === undefined) throw noSuchItem(operation.index, list.length, place)
    if (operation.type === "remove") list.splice(operation.index, 1)
    else list[operation.index] = changed(current, operation)
  }
  return list
}

function changed(todo: Todo, { text, status }: Extract<TodoOperation, { type: "update" }>): Todo {
  return { ...todo, ...(text !== undefined && { content: text }), ...(status !== undefined && { status }) }
}

function noSuchItem(index: number, length: number, place: number): ToolError {
  const items = length === 1 ? "1 item" : `${length} items`
  return new ToolError(
    "invalid_args",
    `Cannot change item ${index}: the list has ${items} at operation ${place + 1}, counted from 0; nothing was changed`,
    { details: { index, length } },
  )
}
