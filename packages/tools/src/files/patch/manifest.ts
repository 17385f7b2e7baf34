import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `patch` without running it. */
export const manifest = defineManifest({
  id: "patch",
  title: "Patch file",
  description:
    "Applies a unified diff to one existing file, strictly: line numbers, counts and context must fit, all hunks or none. Does not create, rename or delete files. Use for several changes in one file.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Existing file"),
    diff: z.string().describe("Unified diff; lines before the first @@ are ignored"),
  }),
  output: outputSchema({
    file_path: z.string(),
    hunks: z.int().min(1),
    added: z.int().min(0).describe("Lines"),
    removed: z.int().min(0).describe("Lines"),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  toolset: "code",
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ file_path }) => [
    { kind: "fs.read", path: file_path },
    { kind: "fs.write", path: file_path },
  ],
})
