import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

const count = z.int().min(0)

/** What is known about `read_files` without running it. */
export const manifest = defineManifest({
  id: "read_files",
  title: "Read files",
  description:
    "Reads the same lines of up to 50 text files; one that cannot be read does not fail the rest. Does not list directories. Use when several files are wanted at once.",
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).max(50),
    offset: count.default(0).describe("First line, from 0"),
    limit: z.int().min(1).default(200).describe("Lines of each file"),
  }),
  output: outputSchema({
    files: z.array(
      z.strictObject({
        path: z.string(),
        content: z.string().describe("Empty for a file that could not be read"),
        start_line: count.describe("Number of the first line, from 1; 0 when there are no lines"),
        line_count: count,
        eof: z.boolean(),
        total_lines: count.optional().describe("Known when the end was reached"),
        error: z.string().optional(),
      }),
    ),
    failed: count,
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 60_000,
  effects: ({ paths }) => paths.map((path) => ({ kind: "fs.read", path })),
  judgedLike: "read",
})
