import type { Projection, ToolResult } from "@haft/contract"
import { failureWords } from "../shared/failure-words.js"
import { textOf } from "../shared/parts-of-result.js"

/** What a model reads of a result that gave an output. */
export function textValue(result: ToolResult): string {
  return textOf(result)
}

/** A result whose value is the text that the model reads; never throws. */
export function projectText(result: ToolResult): Projection {
  const failure = failureWords(result)
  const text = failure?.text ?? safely(result)
  return { value: text, success: failure === undefined, text }
}

function safely(result: ToolResult): string {
  try {
    return textOf(result)
  } catch {
    return ""
  }
}
