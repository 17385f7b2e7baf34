import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `edit` without running it. */
export const manifest = defineManifest({
  id: "edit",
  title: "Edit file",
  description:
    "Replaces text in an existing file; all other bytes, encoding and line endings stay. old_string must occur once unless replace_all. Use to revise; does not create files: use write.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Existing file"),
    old_string: z.string().describe("Text to replace, without line numbers"),
    new_string: z.string().describe("Text to put there"),
    replace_all: z.boolean().default(false).describe("Replace every occurrence"),
  }),
  output: outputSchema({
    file_path: z.string(),
    replacements: z.int().min(1),
    first_line: z.int().min(1).describe("Line of the first replacement, from 1"),
    normalised: z.string().optional().describe("What was disregarded to find the text, when it was not there exactly"),
    encoding_guessed: z.string().optional().describe("Encoding of the new text, when the file does not prove its own"),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  toolset: "locked",
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ file_path }) => [
    { kind: "fs.read", path: file_path },
    { kind: "fs.write", path: file_path },
  ],
  habits: {
    edits: "Send one call for each edit",
    expected_replacements: 'Leave it out; set "replace_all" to replace every occurrence',
    replacements: "Send one call for each edit",
    insert_line: 'Give the line before it as "old_string", and both lines as "new_string"',
  },
})
