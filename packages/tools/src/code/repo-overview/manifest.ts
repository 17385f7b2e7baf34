import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `repo_overview` without running it. */
export const manifest = defineManifest({
  id: "repo_overview",
  title: "Project overview",
  description:
    "Shows the shape of a project: a short tree with the number of files in each folder, and the languages by size; skips what ignore files name. Use once at the start of work in an unknown project; for one folder use ls, for files by name use glob.",
  input: z.strictObject({ path: z.string().min(1).default(".").describe("Directory") }),
  output: outputSchema({
    tree: z.string(),
    languages: z.array(
      z.strictObject({
        name: z.string(),
        files: z.int().min(1),
        bytes: z.int().min(0),
        share: z.number().min(0).max(1).describe("Of the bytes in all known languages, generated files left out"),
      }),
    ),
    file_count: z.int().min(0),
    complete: z.boolean().describe("False when there are more files than were counted"),
    denied: z.int().min(1).optional().describe("Files left out because a rule denies reading them"),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "code",
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 20_000, past: "sidecar", fields: ["tree"], keep: "head" },
  retry: "safe",
  timeoutMs: 60_000,
  effects: ({ path }) => [{ kind: "fs.read", path }],
})
