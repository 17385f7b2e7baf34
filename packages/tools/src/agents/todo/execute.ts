import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Replaces the session's list and counts its states. */
export const execute: Execute<typeof manifest> = async ({ todos }, { memory }) => {
  memory.setTodos(todos)
  const counts = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 }
  for (const { status } of todos) counts[status] += 1
  return { todos, counts }
}
