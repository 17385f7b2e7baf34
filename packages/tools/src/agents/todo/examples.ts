import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `todo` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plan of three steps",
    input: {
      todos: [
        { content: "Find the failing test", status: "completed" },
        { content: "Fix the parser", status: "in_progress", active_form: "Fixing the parser" },
        { content: "Run all tests", status: "pending" },
      ],
    },
    output: { counts: { pending: 1, in_progress: 1, completed: 1, cancelled: 0 } },
  },
  {
    name: "a step that is no longer needed",
    input: { todos: [{ content: "Write a migration", status: "cancelled" }] },
    output: { counts: { pending: 0, in_progress: 0, completed: 0, cancelled: 1 } },
  },
  {
    name: "an empty list clears it",
    input: { todos: [] },
    output: { todos: [], counts: { pending: 0, in_progress: 0, completed: 0, cancelled: 0 } },
  },
]
