import type { Execute } from "@haft/contract"
import { keepTodos } from "../../kept-todos.js"
import type { manifest } from "./index.js"

/** Keeps what is not cleared. */
export const execute: Execute<typeof manifest> = async ({ mode }, { memory }) => {
  const before = await memory.todos()
  const left = mode === "all" ? [] : before.filter(({ status }) => status !== "completed")
  return { cleared: before.length - left.length, ...keepTodos(memory, left) }
}
