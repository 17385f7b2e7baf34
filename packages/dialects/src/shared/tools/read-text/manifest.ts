import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

const count = z.int().min(0)

/** What is known about `read_text` without running it. */
export const manifest = defineManifest({
  id: "read_text",
  title: "Read text",
  description:
    "Reads a whole UTF-8 text file, or some of its lines, without line numbers; any other encoding or a file above 10 MB is an error. Use where a text is wanted exactly as it is.",
  input: z.strictObject({
    path: z.string().min(1),
    offset: count.optional().describe("First line, from 0"),
    limit: z.int().min(1).optional().describe("Lines; default to the end"),
    refuse_binary: z.boolean().default(false).describe("A NUL near the beginning is an error"),
  }),
  output: outputSchema({
    path: z.string().describe("Absolute, links followed"),
    content: z.string().describe("As it stands in the file, line endings included"),
    start_line: z.int().min(1).describe("Number of the first line, from 1"),
    line_count: count,
    total_lines: count,
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path }) => [{ kind: "fs.read", path }],
  judgedLike: "read",
})
