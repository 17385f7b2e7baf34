import type { AnyDialectTool, Projection, ToolResult } from "@haft/contract"
import { failureWords, isOutput } from "../shared/failure-words.js"
import { jsonText, jsonValue } from "../shared/json-text.js"
import { failureOf, textOf, withNotes } from "../shared/parts-of-result.js"
import { errorTypes, type LobeError, type LobeResult, toResult } from "./to-result.js"
import { partsOf } from "./wire-name.js"

/** The end of a call as LobeHub gets it; `identifiers` are the packages that it knows. */
export function project(
  result: ToolResult,
  row: AnyDialectTool | undefined,
  { input, identifiers }: { readonly input: unknown; readonly identifiers: readonly string[] },
): Projection {
  const value = isOutput(result) ? outputOf(result, row, input) : failedResult(result, row, identifiers)
  return { value, success: value.success, text: value.content }
}

function outputOf(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): LobeResult {
  try {
    const value = row?.toValue(result, input)
    if (isSound(value)) return { ...value, content: withNotes(value.content, result) }
  } catch {
    // Data that is not what its tool promises: the text says what there is to say.
  }
  return toResult({ success: true, content: safeText(result) })
}

function isSound(value: unknown): value is LobeResult {
  const { content, success } = (value ?? {}) as Partial<LobeResult>
  return typeof content === "string" && typeof success === "boolean" && jsonText(value) !== "null"
}

function failedResult(result: ToolResult, row: AnyDialectTool | undefined, identifiers: readonly string[]): LobeResult {
  const { code, message, text } = failureWords(result) ?? { code: "internal", message: "", text: "" }
  const { hint, details } = partsOfFailure(result)
  const type = (row === undefined ? unknownName(details, identifiers) : undefined) ?? errorTypes[code]
  const body = {
    code,
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details: jsonValue(details) }),
  }
  return toResult({ success: false, content: text, error: { type, message, body } })
}

/** An unknown package, or an unknown API of a known one; its permission key has a slash between them. */
function unknownName(details: unknown, identifiers: readonly string[]): LobeError["type"] | undefined {
  const name = (details as { readonly unknown_tool?: unknown } | null | undefined)?.unknown_tool
  if (typeof name !== "string") return undefined
  return identifiers.includes(partsOf(name)[0].split("/", 1)[0]!) ? "ApiNotFound" : "ExecutorNotFound"
}

function partsOfFailure(result: ToolResult): { readonly hint?: string; readonly details?: unknown } {
  try {
    return failureOf(result) ?? {}
  } catch {
    return {}
  }
}

function safeText(result: ToolResult): string {
  try {
    return textOf(result)
  } catch {
    return ""
  }
}
