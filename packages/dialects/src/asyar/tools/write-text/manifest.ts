import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

/** What is known about `write_text` without running it. */
export const manifest = defineManifest({
  id: "write_text",
  title: "Write text",
  description:
    "Writes a whole UTF-8 text file into a folder that exists, whatever the file held before, also when it changed since it was read. Use where no folder shall be made.",
  input: z.strictObject({ path: z.string().min(1), content: z.string() }),
  output: outputSchema({ path: z.string().describe("Absolute, links followed"), bytes_written: z.int().min(0) }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ path }) => [{ kind: "fs.write", path }],
  judgedLike: "write",
})
