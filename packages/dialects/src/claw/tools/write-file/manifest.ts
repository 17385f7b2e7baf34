import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

/** What is known about `write_file` without running it. */
export const manifest = defineManifest({
  id: "write_file",
  title: "Write file",
  description:
    "Creates a file of up to 10 MB, parent folders included, or replaces a whole file, and keeps what it replaced beside the result. Writes UTF-8. Use for new files and whole replacements.",
  input: z.strictObject({ path: z.string().min(1), content: z.string().describe("The whole new content") }),
  output: outputSchema({
    path: z.string().describe("Absolute, links followed"),
    created: z.boolean(),
    bytes_written: z.int().min(0),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  // The former content goes with the result, so it must be a file that may be read.
  effects: ({ path }) => [
    { kind: "fs.write", path },
    { kind: "fs.read", path },
  ],
  judgedLike: "write",
})
