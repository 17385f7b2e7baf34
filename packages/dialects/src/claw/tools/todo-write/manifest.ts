import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

const todos = z.array(
  z.strictObject({
    content: z.string(),
    active_form: z.string(),
    status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  }),
)

/** What is known about `todo_write` without running it. */
export const manifest = defineManifest({
  id: "todo_write",
  title: "Todo list",
  description:
    "Replaces the session's todo list and returns the former one. A list that is all completed is cleared; an empty list is an error. Use for work of several steps.",
  input: z.strictObject({ todos }),
  output: outputSchema({
    old_todos: todos,
    new_todos: todos,
    verification_nudge_needed: z
      .literal(true)
      .optional()
      .describe("Three or more steps are completed and none was to verify the work"),
  }),
  requires: {},
  kind: "other",
  tier: "workspace-write",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "new_todos" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})
