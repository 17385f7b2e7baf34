import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { keptTodosFields } from "../../kept-todos.js"

/** What is known about `clear_todos` without running it. */
export const manifest = defineManifest({
  id: "clear_todos",
  title: "Clear todos",
  description:
    "Removes the completed steps, or all, from the session's todo list. Does not undo any work. Use when the list is done with.",
  input: z.strictObject({ mode: z.enum(["completed", "all"]) }),
  output: outputSchema({ cleared: z.int().min(0), ...keptTodosFields }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})
