import type { Execute, Todo } from "@haft/contract"
import { keepTodos } from "../../kept-todos.js"
import type { manifest } from "./index.js"

/** Adds the steps, none of them begun. */
export const execute: Execute<typeof manifest> = async ({ adds }, { memory }) => {
  const added = adds.map((content): Todo => ({ content, status: "pending" }))
  return { added: added.length, ...keepTodos(memory, [...(await memory.todos()), ...added]) }
}
