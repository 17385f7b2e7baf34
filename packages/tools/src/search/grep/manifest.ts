import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { skippedSchema } from "../shared/skipped.js"

/** What is known about `grep` without running it. */
export const manifest = defineManifest({
  id: "grep",
  title: "Search in files",
  description:
    "Finds lines that match a regular expression (Rust syntax and look-around, one line at a time); skips binary files and what ignore files name. Use to find where something is written; for file names use glob.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("Regular expression"),
    path: z.string().min(1).optional().describe("File or directory; default the working directory"),
    glob: z.string().min(1).optional().describe("Only files like this, for instance *.ts"),
    context: z.int().min(0).max(20).default(0).describe("Lines around each match"),
    "-i": z.boolean().default(false).describe("Ignore case"),
  }),
  output: outputSchema({
    matches: z.array(
      z.strictObject({
        path: z.string(),
        line: z.int().min(1),
        text: z.string(),
        before: z.array(z.string()).optional(),
        after: z.array(z.string()).optional(),
      }),
    ),
    match_count: z.int().min(0),
    file_count: z.int().min(0),
    complete: z.boolean().describe("False when there may be more matches than these"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "locked",
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 200, past: "sidecar", field: "matches" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
  habits: {
    "-n": "Leave it out: lines are always numbered",
    output_mode: "Leave it out: the matching lines are the result",
    head_limit: 'Leave it out; narrow the search with "path" or "glob"',
    max_results: 'Leave it out; narrow the search with "path" or "glob"',
    multiline: "Leave it out: a pattern matches within one line",
    type: 'Use "glob", for instance *.ts',
    fileType: 'Use "glob", for instance *.ts',
    recursive: "Leave it out: folders are always searched with what is in them",
  },
})
