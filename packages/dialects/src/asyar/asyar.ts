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
