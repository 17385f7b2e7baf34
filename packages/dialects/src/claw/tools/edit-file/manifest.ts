import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

/** What is known about `edit_file` without running it. */
export const manifest = defineManifest({
  id: "edit_file",
  title: "Edit file",
  description:
    "Replaces text in an existing file and keeps what the file was before beside the result; all other bytes stay. old_string must occur once unless replace_all. Use to revise.",
  input: z.strictObject({
    path: z.string().min(1).describe("Existing file"),
    old_string: z.string().min(1).describe("Text to replace"),
    new_string: z.string().describe("Text to put there"),
    replace_all: z.boolean().default(false).describe("Replace every occurrence"),
  }),
  output: outputSchema({
    path: z.string().describe("Absolute, links followed"),
    replacements: z.int().min(1),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ path }) => [
    { kind: "fs.read", path },
    { kind: "fs.write", path },
  ],
  judgedLike: "edit",
})
