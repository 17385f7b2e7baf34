import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `notebook_edit` without running it. */
export const manifest = defineManifest({
  id: "notebook_edit",
  title: "Edit notebook",
  description: "Changes one cell of a Jupyter notebook; runs nothing. Use instead of edit; read shows the cell ids.",
  input: z.strictObject({
    notebook_path: z.string().min(1),
    cell_id: z.string().min(1).optional().describe("Default last; insert goes after it"),
    new_source: z.string().optional(),
    cell_type: z.enum(["code", "markdown"]).optional(),
    edit_mode: z.enum(["replace", "insert", "delete"]).default("replace"),
  }),
  output: outputSchema({
    notebook_path: z.string(),
    cell_id: z.string(),
    cell_type: z.string(),
    edit_mode: z.enum(["replace", "insert", "delete"]),
    cell_count: z.int().min(0).describe("Cells afterwards"),
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
  effects: ({ notebook_path }) => [
    { kind: "fs.read", path: notebook_path },
    { kind: "fs.write", path: notebook_path },
  ],
})
