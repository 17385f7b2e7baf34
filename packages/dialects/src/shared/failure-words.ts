import type { ErrorCode, ToolResult } from "@haft/contract"
import { failureOf } from "./parts-of-result.js"

/** Why a call failed, as a code and a text that is never empty. */
export interface FailureWords {
  readonly code: ErrorCode
  readonly message: string
  /** The message, and the next step below it where there is one. */
  readonly text: string
}

/** The words of a failure, for any result whatsoever; undefined for one that is an output. */
export function failureWords(result: ToolResult): FailureWords | undefined {
  if (isOutput(result)) return undefined
  const { code, message, hint } = partsOf(result)
  const words = typeof message === "string" && message !== "" ? message : "The tool failed and did not say why"
  return {
    code,
    message: words,
    text: typeof hint === "string" && hint !== "" ? `${words}\n${hint}` : words,
  }
}

/** Whether a call gave an output; anything that is no result counts as a failure. */
export function isOutput(result: ToolResult): boolean {
  return (result as Partial<ToolResult> | undefined)?.envelope?.type === "output"
}

function partsOf(result: ToolResult): {
  readonly code: ErrorCode
  readonly message?: unknown
  readonly hint?: unknown
} {
  try {
    return failureOf(result) ?? { code: "internal" }
  } catch {
    return { code: "internal" }
  }
}
