import type { AnyDialectTool, Dialect, Projection, ToolResult } from "@haft/contract"
import { failureWords } from "../shared/failure-words.js"
import { jsonText } from "../shared/json-text.js"
import { rowValue } from "../shared/row-value.js"
import { agentRow, skillRow, todoWriteRow, toolSearchRow } from "./agent-rows.js"
import { editFileRow, readFileRow, writeFileRow } from "./file-rows.js"
import { notebookEditRow } from "./notebook-row.js"
import { globSearchRow, grepSearchRow } from "./search-rows.js"
import { bashRow, powerShellRow, replRow } from "./shell-rows.js"
import { configRow, sendUserMessageRow, sleepRow, structuredOutputRow } from "./system-rows.js"
import { webFetchRow, webSearchRow } from "./web-rows.js"

/** The tools as claw-code knows them: a string that holds pretty JSON, or an error string. */
export const claw: Dialect = {
  name: "claw",
  tools: [
    bashRow,
    readFileRow,
    writeFileRow,
    editFileRow,
    globSearchRow,
    grepSearchRow,
    webFetchRow,
    webSearchRow,
    todoWriteRow,
    skillRow,
    agentRow,
    toolSearchRow,
    notebookEditRow,
    sleepRow,
    sendUserMessageRow,
    configRow,
    structuredOutputRow,
    replRow,
    powerShellRow,
  ],
  project,
}

/** A string that holds pretty JSON, or the words of the error. */
function project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection {
  const failure = failureWords(result)
  const answer = failure === undefined ? rowValue(result, row, input) : answerOf(result, row, input)
  if (failure !== undefined && answer === undefined) return { value: failure.text, success: false, text: failure.text }
  const text = shown(answer)
  return { value: text, success: true, text }
}

/** A text is its own result, everything else is shown as JSON. */
function shown(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : jsonText(value, 2)
}

function answerOf(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): unknown {
  try {
    return row?.toAnswer?.(result, input)
  } catch {
    return undefined
  }
}
