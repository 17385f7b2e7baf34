import { defineDialectTool, ToolError } from "@haft/contract"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"

interface EditedNotebook {
  readonly notebook_path: string
  readonly cell_id: string | null
  readonly cell_type: string | null
  readonly edit_mode: string
}

/** What the tool leaves beside its data. */
interface NotebookState {
  readonly language?: string
  readonly original?: string
  readonly updated?: string
}

/** `NotebookEdit`: the whole notebook before and after is part of the result. */
export const notebookEditRow = defineDialectTool({
  name: "NotebookEdit",
  tool: "notebook_edit_file",
  description: "Replace, insert, or delete a cell in a Jupyter notebook.",
  input: z.strictObject({
    notebook_path: z.string().min(1),
    cell_id: z.string().min(1).optional(),
    new_source: z.string().optional(),
    cell_type: z.enum(["code", "markdown"]).optional(),
    edit_mode: z.enum(["replace", "insert", "delete"]).optional(),
  }),
  toArguments: (input) => {
    if (!/\.ipynb$/i.test(input.notebook_path)) throw notANotebook(input.notebook_path)
    return given(input)
  },
  toValue: (result, { new_source = "", edit_mode = "replace" }) => {
    const { notebook_path, cell_id, cell_type } = dataOf<EditedNotebook>(result)
    const { language = "python", original = "", updated = "" } = (result.state ?? {}) as NotebookState
    return {
      new_source,
      cell_id: cell_id ?? null,
      // A cell that is gone has no type any more.
      cell_type: edit_mode === "delete" ? null : (cell_type ?? null),
      language,
      edit_mode,
      error: null,
      notebook_path,
      original_file: original,
      updated_file: updated,
    }
  },
  tier: "workspace-write",
})

function notANotebook(path: string): ToolError {
  return new ToolError("invalid_args", `Cannot edit "${path}": the file must be a Jupyter notebook (.ipynb file)`)
}
