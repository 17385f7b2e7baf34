import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const step = (content: string, status: "pending" | "in_progress" | "completed") => ({
  content,
  active_form: `Doing: ${content}`,
  status,
})

/** Calls that show what `todo_write` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plan of two steps",
    input: { todos: [step("Fix the parser", "in_progress"), step("Run the tests", "pending")] },
    output: { old_todos: [] },
  },
  {
    name: "all done, and nothing verified it",
    input: { todos: ["Read", "Write", "Ship"].map((content) => step(content, "completed")) },
    output: { verification_nudge_needed: true },
  },
  { name: "an empty list", input: { todos: [] }, fails: "invalid_args" },
  {
    name: "a step without words",
    input: { todos: [{ content: " ", active_form: "x", status: "pending" }] },
    fails: "invalid_args",
  },
]
