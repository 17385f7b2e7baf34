import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { keptTodosFields, todoStatus } from "../../kept-todos.js"

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

/** What is known about `update_todos` without running it. */
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
