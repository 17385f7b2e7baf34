import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `create_todos` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two steps",
    input: { adds: ["Find the failing test", "Fix it"] },
    output: {
      added: 2,
      todos: [
        { content: "Find the failing test", status: "pending" },
        { content: "Fix it", status: "pending" },
      ],
    },
  },
  {
    name: "blanks around a step do not count",
    input: { adds: ["  Fix it "] },
    output: { added: 1, todos: [{ content: "Fix it", status: "pending" }] },
  },
  {
    name: "the same step twice is two steps",
    input: { adds: ["Fix it", "Fix it"] },
    output: { added: 2 },
  },
]
