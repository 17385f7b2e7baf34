import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

/** What is known about `notebook_edit_file` without running it. */
export const manifest = defineManifest({
  id: "notebook_edit_file",
  title: "Edit notebook",
  description:
    "Replaces, inserts or deletes one cell of a Jupyter notebook of up to 10 MB, and keeps what the whole file was before and is now beside the result. Use where a program wants both.",
  input: z.strictObject({
    notebook_path: z.string().min(1).describe(".ipynb file"),
    cell_id: z.string().min(1).optional().describe("Default the last cell; insert goes after it"),
    new_source: z.string().optional().describe("For replace and insert"),
    cell_type: z.enum(["code", "markdown"]).optional(),
    edit_mode: z.enum(["replace", "insert", "delete"]).default("replace"),
  }),
  output: outputSchema({
    notebook_path: z.string().describe("Absolute, links followed"),
    cell_id: z.string(),
    cell_type: z.string(),
    edit_mode: z.enum(["replace", "insert", "delete"]),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ notebook_path }) => [
    { kind: "fs.read", path: notebook_path },
    { kind: "fs.write", path: notebook_path },
  ],
  judgedLike: "notebook_edit",
})
