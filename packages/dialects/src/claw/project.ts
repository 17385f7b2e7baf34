import type { AnyDialectTool, Projection, ToolResult } from "@haft/contract"
import { failureWords } from "../shared/failure-words.js"
import { jsonText } from "../shared/json-text.js"
import { rowValue } from "../shared/row-value.js"

/** A string that holds pretty JSON, or the words of the error. */
export function project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection {
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
