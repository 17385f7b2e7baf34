import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { skippedSchema } from "@haft/tools/search/shared/skipped.js"

/** What is known about `glob_search` without running it. */
export const manifest = defineManifest({
  id: "glob_search",
  title: "Find newest files",
  description:
    "Lists files whose path matches a glob, the most recently changed first; skips what ignore files name and folders of built and installed things. Use to find what was worked on last.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("For instance src/**/*.ts"),
    path: z.string().min(1).optional().describe("Directory; default the working directory"),
  }),
  output: outputSchema({
    paths: z.array(z.string()).describe("Absolute"),
    complete: z.boolean().describe("False when there may be more paths than these"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 100, past: "sidecar", field: "paths" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
  judgedLike: "glob",
})
