import type { Execute } from "@haft/contract"
import { keepTodos } from "../../kept-todos.js"
import { applyOperations } from "./apply-operations.js"
import type { manifest } from "./index.js"

/** Keeps the list as all operations leave it. */
export const execute: Execute<typeof manifest> = async ({ operations }, { memory }) => ({
  applied: operations.length,
  ...keepTodos(memory, applyOperations(await memory.todos(), operations)),
})
