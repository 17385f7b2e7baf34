import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { editing, readAndWrite } from "../../files/shared/editing.js"
import { outputSchema } from "../../output.js"

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
  toolset: "code",
  ...editing,
  effects: ({ notebook_path }) => readAndWrite(notebook_path),
})

const verbs = { replace: "Replaced", insert: "Inserted", delete: "Deleted" } as const

/** Acknowledges the edit without repeating the source. */
const present: Present<typeof manifest> = ({ notebook_path, cell_id, cell_type, edit_mode, cell_count }) => {
  const count = cell_count === 1 ? "1 cell" : `${cell_count} cells`
  return [text(`${verbs[edit_mode]} ${cell_type} cell ${cell_id} in ${notebook_path}, which has ${count} now`)]
}

const messages: ToolMessages = {
  en: { title: "Edit notebook", loading: "Editing the notebook", done: "Edited the notebook" },
  "zh-CN": {
    title: "编辑笔记本",
    loading: "正在编辑笔记本",
    done: "已编辑笔记本",
    summary: "更改 Jupyter 笔记本的一个单元格；不运行任何内容",
  },
}

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "a1",
   "metadata": {},
   "outputs": [],
   "source": [
    "1.0"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "another source for a cell",
    files: { "a.ipynb": notebook },
    input: { notebook_path: "a.ipynb", cell_id: "a1", new_source: "x = 1\nprint(x)" },
    output: { cell_id: "a1", cell_type: "code", edit_mode: "replace", cell_count: 1 },
    after: { "a.ipynb": notebook.replace('    "1.0"\n', '    "x = 1\\n",\n    "print(x)"\n') },
  },
  {
    name: "a new cell at the end",
    files: { "a.ipynb": notebook },
    input: { notebook_path: "a.ipynb", new_source: "# Title", cell_type: "markdown", edit_mode: "insert" },
    output: { cell_id: "cell-2", cell_type: "markdown", cell_count: 2 },
  },
  {
    name: "a cell that does not exist",
    files: { "a.ipynb": notebook },
    input: { notebook_path: "a.ipynb", cell_id: "a2", edit_mode: "delete" },
    fails: "not_found",
    after: { "a.ipynb": notebook },
  },
  {
    name: "a file that is no notebook",
    files: { "a.ipynb": "{ oops" },
    input: { notebook_path: "a.ipynb", new_source: "x" },
    fails: "unsupported",
    after: { "a.ipynb": "{ oops" },
  },
]

/** Edits one cell of a Jupyter notebook. */
export const notebookEdit = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("../../files/shared/preview/dry-run.js"),
  faces: () => import("../ui/cell-faces.js"),
})
