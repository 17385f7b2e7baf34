import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { skippedSchema } from "@haft/tools/search/shared/skipped.js"

/** Lines or files of a page when the call names no limit. */
const defaultHeadLimit = 250

const count = z.int().min(0)

/** What is known about `grep_search` without running it. */
export const manifest = defineManifest({
  id: "grep_search",
  title: "Search in files",
  description:
    "Finds files, lines or counts by regular expression (Rust syntax and look-around); skips binary files and what ignore files name. Use where the knobs of a command-line searcher are wanted.",
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().min(1).optional().describe("File or directory; default the working directory"),
    glob: z.string().min(1).optional().describe("Only files like this"),
    output_mode: z.enum(["files_with_matches", "content", "count"]).default("files_with_matches"),
    "-B": count.optional().describe("Lines before each match"),
    "-A": count.optional().describe("Lines after each match"),
    "-C": count.optional().describe("Lines around each match"),
    context: count.optional().describe("The same; wins over -C"),
    "-n": z.boolean().default(true).describe("Line numbers"),
    "-i": z.boolean().default(false).describe("Ignore case"),
    type: z.string().min(1).optional().describe("Only files with this extension"),
    head_limit: count.default(defaultHeadLimit).describe("Lines or files to return; 0 for all"),
    offset: count.default(0).describe("Lines or files to pass over"),
    multiline: z.boolean().default(false).describe("Let a match go over line breaks"),
  }),
  output: outputSchema({
    mode: z.enum(["files_with_matches", "content", "count"]),
    filenames: z.array(z.string()).describe("Absolute, in order"),
    content: z.string().optional().describe("The lines, each after its file and number"),
    num_lines: count.optional(),
    num_matches: count.optional().describe("Lines that match, in all files"),
    matching_lines: count.optional().describe("Lines of the page that match; the others stand around them"),
    applied_limit: count.optional().describe("Set when the limit left something out"),
    applied_offset: count.optional(),
    complete: z.boolean().describe("False when the search stopped before its end, the page aside"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "search",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["content"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
  judgedLike: "grep",
})
