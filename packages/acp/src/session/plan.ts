import type { PlanEntry } from "@agentclientprotocol/sdk/unstable"
import type { Todo } from "@haft/contract"

/** A list of things to do as a plan, whole each time. What was cancelled is left out; all are of one priority. */
export function planOf(todos: readonly Todo[]): PlanEntry[] {
  return todos.flatMap(({ content, status }) =>
    status === "cancelled" ? [] : [{ content, status, priority: "medium" as const }],
  )
}
