import { type Execute, type InputOf, type Todo, ToolError } from "@haft/contract"
import type { manifest } from "./manifest.js"

type Steps = InputOf<typeof manifest>["todos"]

/** Replaces the list; work that is all done needs none any more. */
export const execute: Execute<typeof manifest> = async ({ todos }, { memory }) => {
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
