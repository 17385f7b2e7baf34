import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { skippedSchema } from "../shared/skipped.js"

/** What is known about `glob` without running it. */
export const manifest = defineManifest({
  id: "glob",
  title: "Find files",
  description:
    "Lists files whose path matches a glob, sorted; skips what ignore files name. Does not look inside files: use grep. Use to find files by name.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("For instance src/**/*.ts"),
    path: z.string().min(1).optional().describe("Directory; default the working directory"),
  }),
  output: outputSchema({
    paths: z.array(z.string()),
    complete: z.boolean().describe("False when there may be more paths than these"),
    total: z.int().min(0).optional().describe("How many there are in all, when that is known"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "locked",
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "paths" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
  habits: {
    limit: "Leave it out; narrow the pattern",
    recursive: "Leave it out; ** in the pattern stands for folders",
    head_limit: "Leave it out; narrow the pattern",
    ignore: "Leave it out; what ignore files name is skipped",
  },
})
