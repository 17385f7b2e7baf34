import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

const todos = z.array(
  z.strictObject({
    content: z.string().trim().min(1).describe("What to do"),
    status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
    active_form: z.string().optional().describe("The step as it is called while it runs"),
  }),
)
const count = z.int().min(0)

/** What is known about `todo` without running it. */
export const manifest = defineManifest({
  id: "todo",
  title: "Todo list",
  description:
    "Replaces the session's todo list; send the whole list each time. Does none of the work itself. Use for work of three or more steps, and when a step starts or ends.",
  input: z.strictObject({ todos: todos.describe("The whole list in order; empty clears it") }),
  output: outputSchema({
    todos,
    counts: z.strictObject({ pending: count, in_progress: count, completed: count, cancelled: count }),
  }),
  requires: {},
  toolset: "locked",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  habits: {
    merge: "Leave it out and send the whole list: it replaces the former one",
  },
})
