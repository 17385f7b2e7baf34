import { type Content, type Envelope, type LanguageItem, text, ToolError, type ToolResult } from "@haft/contract"
import type { Leavings } from "./context.js"
import { problemText } from "./new-problems.js"
import type { Bounded } from "./truncate.js"

/** What every envelope of a call carries. */
export interface CallFacts {
  readonly callId: string
  readonly sessionId: string
  readonly startedMs: number
}

/** What a call left besides its output. */
type Left = Leavings & { readonly problems: readonly LanguageItem[] }

/** The result of a call that gave an output. */
export function outputResult(bounded: Bounded, facts: CallFacts, left: Left): ToolResult {
  const envelope: Envelope = {
    type: "output",
    data: bounded.data,
    metadata: {
      ...metadata(facts),
      ...(bounded.truncated ? { truncated: true } : {}),
      ...(bounded.outputPath ? { output_path: bounded.outputPath } : {}),
      ...(left.problems.length > 0 ? { diagnostics: left.problems } : {}),
    },
  }
  let content: readonly Content[] | undefined
  return {
    envelope,
    get content() {
      content ??= [
        ...bounded.content(),
        ...images(left),
        ...(left.problems.length > 0 ? [problemText(left.problems)] : []),
      ]
      return content
    },
    attachments: left.attachments,
    ...(left.state === undefined ? {} : { state: left.state }),
  }
}

function images({ attachments }: Leavings): readonly Content[] {
  return attachments
    .filter((attachment) => attachment.mediaType.startsWith("image/"))
    .map((attachment) => ({ type: "image", mediaType: attachment.mediaType, data: attachment.data }))
}

/** The result of a call that failed, for whatever reason. */
export function errorResult(thrown: unknown, facts: CallFacts): ToolResult {
  const error = ToolError.is(thrown) ? thrown : defect(thrown)
  const envelope: Envelope = {
    type: "error",
    error_text: error.message,
    metadata: {
      ...metadata(facts),
      error_code: error.code,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
  const words = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  return { envelope, content: [text(words)], attachments: [] }
}

function metadata(facts: CallFacts): { duration_ms: number; call_id: string; session_id: string } {
  return {
    duration_ms: Math.round(performance.now() - facts.startedMs),
    call_id: facts.callId,
    session_id: facts.sessionId,
  }
}

function defect(thrown: unknown): ToolError {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new ToolError("internal", `A defect of the tool: ${message || "it failed without saying why"}`, {
    cause: thrown,
  })
}
