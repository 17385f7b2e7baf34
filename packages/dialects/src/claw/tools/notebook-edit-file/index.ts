import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

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

const verbs = { replace: "Replaced", insert: "Inserted", delete: "Deleted" } as const

/** Acknowledges the edit without repeating the source. */
const present: Present<typeof manifest> = ({ notebook_path, cell_id, cell_type, edit_mode }) => [
  text(`${verbs[edit_mode]} ${cell_type} cell ${cell_id} in ${notebook_path}`),
]

const messages: ToolMessages = {
  en: { title: "Edit notebook", loading: "Editing the notebook", done: "Edited the notebook" },
  "zh-CN": { title: "编辑笔记本", loading: "正在编辑笔记本", done: "已编辑笔记本" },
}

const notebook = (...sources: readonly string[]) => {
  const cells = sources.map((source, index) => {
    const id = `c${index}`
    return { cell_type: "code", execution_count: null, id, metadata: {}, outputs: [], source: [source] }
  })
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the last cell is replaced",
    files: { "a.ipynb": notebook("1", "2") },
    input: { notebook_path: "a.ipynb", new_source: "3" },
    output: { cell_id: "c1", cell_type: "code", edit_mode: "replace" },
    after: { "a.ipynb": notebook("1", "3") },
  },
  {
    name: "a cell is deleted",
    files: { "a.ipynb": notebook("1", "2") },
    input: { notebook_path: "a.ipynb", cell_id: "c1", edit_mode: "delete" },
    output: { cell_id: "c1", edit_mode: "delete" },
    after: { "a.ipynb": notebook("1") },
  },
  {
    name: "a new cell without a source",
    files: { "a.ipynb": notebook("1") },
    input: { notebook_path: "a.ipynb", edit_mode: "insert" },
    fails: "invalid_args",
    after: { "a.ipynb": notebook("1") },
  },
]

/** Changes one cell of a notebook and keeps what the whole file was before and is now beside the result. */
export const notebookEditFile = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
  faces: () => import("@haft/tools/notebook/ui/cell-faces.js"),
})
