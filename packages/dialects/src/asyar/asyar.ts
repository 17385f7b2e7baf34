import type { AnyDialectTool, Dialect, Projection, ToolResult } from "@haft/contract"
import { failureWords } from "../shared/failure-words.js"
import { jsonText, jsonValue } from "../shared/json-text.js"
import { rowValue } from "../shared/row-value.js"
import { fsReadRow, fsWriteRow } from "./file-rows.js"
import { calculatorRow, clipboardReadRow, clipboardWriteRow, searchRow } from "./launcher-rows.js"
import { shellExecRow } from "./process-row.js"
import { webFetchRow } from "./web-row.js"

/** The tools as the Asyar launcher knows them: a bare JSON value, or an error. Arguments that it does not know are passed over. */
export const asyar: Dialect = {
  name: "asyar",
  tools: [
    calculatorRow,
    clipboardReadRow,
    clipboardWriteRow,
    fsReadRow,
    fsWriteRow,
    shellExecRow,
    webFetchRow,
    searchRow,
  ],
  prompts: {
    builtin:
      "Compute with builtin__calculator instead of in your head: whole numbers divide to whole numbers there, so write 5.0 / 2 for a fraction. Read one file with builtin__fs-read and replace one with builtin__fs-write, both by absolute path; look for a file whose name you know in part with builtin__search, and for its contents with builtin__shell-exec. builtin__shell-exec starts one program with its arguments and no shell: for pipes and several commands in one call start sh with -c. Look at exitCode, because a program that fails is no error. Call http addresses with builtin__web-fetch. Take what the user copied with builtin__clipboard-read, and give something to paste with builtin__clipboard-write.",
  },
  descriptor: ({ name }, parameters) => ({
    id: name.replace(/^builtin:/, ""),
    fully_qualified_id: name,
    source: "builtin",
    parameters,
  }),
  wireName,
  project,
}

/** An id as providers take it: `:` and `.` are not among the characters of a name. */
function wireName(name: string): string {
  return name.replaceAll(":", "__").replaceAll(".", "--")
}

/** The bare value, or `{error: {code, message}}`. */
function project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection {
  const failure = failureWords(result)
  if (failure !== undefined) {
    const { code, message, text } = failure
    return { value: { error: { code, message } }, success: false, text }
  }
  const value = jsonValue(rowValue(result, row, input))
  return { value, success: true, text: jsonText(value) }
}
