import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `clear_todos` promises; lists of other calls are in the tests. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "all of an empty list", input: { mode: "all" }, output: { cleared: 0, todos: [] } },
  { name: "the completed ones of an empty list", input: { mode: "completed" }, output: { cleared: 0, todos: [] } },
  { name: "twice is the same as once", input: { mode: "all" }, output: { todos: [] } },
]
