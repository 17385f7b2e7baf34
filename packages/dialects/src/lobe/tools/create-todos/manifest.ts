import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { keptTodosFields } from "../../kept-todos.js"

/** What is known about `create_todos` without running it. */
export const manifest = defineManifest({
  id: "create_todos",
  title: "Add todos",
  description:
    "Adds steps to the end of the session's todo list. Does none of the work itself. Use for new steps; to change some use update_todos.",
  input: z.strictObject({ adds: z.array(z.string().trim().min(1)).min(1).max(200).describe("One text a step") }),
  output: outputSchema({ added: z.int().min(1), ...keptTodosFields }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "todos" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "todo",
})
