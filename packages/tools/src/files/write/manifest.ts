import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `write` without running it. */
export const manifest = defineManifest({
  id: "write",
  title: "Write file",
  description:
    "Creates a file, parent folders included, or replaces a whole file; writes UTF-8 and line endings as given. To revise part of a file use edit.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Absolute, or from the working directory"),
    content: z.string().describe("The whole new content"),
  }),
  output: outputSchema({
    file_path: z.string(),
    created: z.boolean(),
    bytes_written: z.int().min(0),
    former_encoding: z.string().optional().describe("Encoding of the replaced file when it was not plain UTF-8"),
  }),
  requires: { fs: { write: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "locked",
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ file_path }) => [{ kind: "fs.write", path: file_path }],
  habits: {
    append: 'Give the whole new text in "content"',
    mode: "Leave it out: the file is replaced, and keeps its mode",
    encoding: "Leave it out: the text is written as UTF-8",
    overwrite: "Leave it out: a file that is there is replaced",
    create_directories: "Leave it out: missing folders are made",
  },
})
