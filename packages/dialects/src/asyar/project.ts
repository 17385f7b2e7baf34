import type { AnyDialectTool, Projection, ToolResult } from "@haft/contract"
import { failureWords } from "../shared/failure-words.js"
import { jsonText, jsonValue } from "../shared/json-text.js"
import { rowValue } from "../shared/row-value.js"

/** The bare value, or `{error: {code, message}}`. */
export function project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection {
  const failure = failureWords(result)
  if (failure !== undefined) {
    const { code, message, text } = failure
    return { value: { error: { code, message } }, success: false, text }
  }
  const value = jsonValue(rowValue(result, row, input))
  return { value, success: true, text: jsonText(value) }
}
