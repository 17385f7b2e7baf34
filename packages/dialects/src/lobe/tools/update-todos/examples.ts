import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `update_todos` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "add, then finish what was added",
    input: {
      operations: [
        { type: "add", text: "Fix the parser" },
        { type: "update", index: 0, status: "completed" },
      ],
    },
    output: { applied: 2, todos: [{ content: "Fix the parser", status: "completed" }] },
  },
  {
    name: "add and remove",
    input: {
      operations: [
        { type: "add", text: "One" },
        { type: "add", text: "Two" },
        { type: "remove", index: 0 },
      ],
    },
    output: { applied: 3, todos: [{ content: "Two", status: "pending" }] },
  },
  {
    name: "a place that is not there changes nothing",
    input: {
      operations: [
        { type: "add", text: "One" },
        { type: "remove", index: 1 },
      ],
    },
    fails: "invalid_args",
  },
]
