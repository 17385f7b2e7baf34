import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { skippedSchema } from "../shared/skipped.js"

/** What is known about `find_files` without running it. */
export const manifest = defineManifest({
  id: "find_files",
  title: "Find files by name",
  description: "Finds files by part of their name, type or date. Use glob for patterns.",
  input: z.strictObject({
    query: z.string().optional().describe("Part of the name"),
    path: z.string().min(1).optional(),
    types: z.array(z.string().min(1)).max(50).optional().describe("Extensions"),
    modified_after: z.string().optional().describe("ISO date"),
    modified_before: z.string().optional(),
    sort: z.enum(["name", "date", "size"]).default("name"),
    limit: z.int().min(1).max(1000).default(100),
  }),
  output: outputSchema({
    paths: z.array(z.string()),
    complete: z.boolean().describe("False when there may be more files than these"),
    total: z.int().min(0).optional().describe("How many there are in all, when that is known"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "code",
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "paths" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
})
