import { defineDialectTool, type ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"

interface ReadText {
  readonly path: string
  readonly content: string
  readonly start_line: number
  readonly line_count: number
  readonly total_lines: number
}

/** `read_file`: lines without numbers, joined by line feeds whatever the file has. */
export const readFileRow = defineDialectTool({
  name: "read_file",
  tool: "read_text",
  description: "Read a text file from the workspace.",
  input: z.strictObject({
    path: z.string().min(1),
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).optional(),
  }),
  toArguments: (input) => ({ ...given(input), refuse_binary: true }),
  toValue: (result) => {
    const { path, content, start_line, line_count, total_lines } = dataOf<ReadText>(result)
    return {
      type: "text",
      file: {
        filePath: path,
        content: content.replaceAll("\r\n", "\n").replace(/\n$/, ""),
        numLines: line_count,
        startLine: start_line,
        totalLines: total_lines,
      },
    }
  },
  tier: "read-only",
})

interface WriteFile {
  readonly path: string
  readonly created: boolean
}

/** What writing tools leave for the face that draws the change. */
interface ChangeState {
  readonly original?: string | null
  readonly hunks?: readonly unknown[]
}

/** `write_file`: up to 10 MB, parents are made; the former content is in the result. */
export const writeFileRow = defineDialectTool({
  name: "write_file",
  tool: "write_file",
  description: "Write a text file in the workspace.",
  input: z.strictObject({ path: z.string().min(1), content: z.string() }),
  toArguments: (input) => input,
  toValue: (result, { content }) => {
    const { path, created } = dataOf<WriteFile>(result)
    const { original = null, hunks = [] } = stateOf(result)
    return {
      type: created ? "create" : "update",
      filePath: path,
      content,
      structuredPatch: hunks,
      originalFile: original,
      gitDiff: null,
    }
  },
  tier: "workspace-write",
})

/** `edit_file`: several matches without `replace_all` are an error. */
export const editFileRow = defineDialectTool({
  name: "edit_file",
  tool: "edit_file",
  description: "Replace text in a workspace file.",
  input: z.strictObject({
    path: z.string().min(1),
    old_string: z.string().min(1),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  toArguments: given,
  toValue: (result, { old_string, new_string, replace_all = false }) => {
    const { path } = dataOf<{ readonly path: string }>(result)
    const { original = "", hunks = [] } = stateOf(result)
    return {
      filePath: path,
      oldString: old_string,
      newString: new_string,
      originalFile: original,
      structuredPatch: hunks,
      userModified: false,
      replaceAll: replace_all,
      gitDiff: null,
    }
  },
  tier: "workspace-write",
})

function stateOf({ state }: ToolResult): ChangeState {
  return (state ?? {}) as ChangeState
}
