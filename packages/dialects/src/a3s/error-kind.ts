import type { Failure } from "../shared/parts-of-result.js"

/** The typed failures of A3S Code, as far as our codes say them. */
export type ErrorKind =
  | { readonly type: "NotFound"; readonly path: string }
  | { readonly type: "InvalidArgument"; readonly message: string }
  | { readonly type: "VersionConflict"; readonly path: string }
  | { readonly type: "HookDenied"; readonly reason: string; readonly retryable: boolean }
  | { readonly type: "Unsupported"; readonly message: string }
  | { readonly type: "Timeout"; readonly op: string; readonly duration_ms: number }
  | { readonly type: "Cancelled"; readonly op: string }
  | { readonly type: "RateLimited"; readonly retry_after_ms?: number }
  | { readonly type: "Transport"; readonly op: string }

/** What a failure was about: the tool, and the path or address that its arguments name. */
export interface FailedCall {
  readonly tool: string
  readonly subject: string
  readonly durationMs: number
}

/** The kind under which A3S programs look for a failure. */
export function errorKind(failure: Failure, { tool, subject, durationMs }: FailedCall): ErrorKind {
  const { code, message } = failure
  switch (code) {
    case "not_found":
      // There it is about paths; a tool that does not exist is a mistake of the caller.
      return isUnknownTool(failure.details) ? { type: "InvalidArgument", message } : { type: "NotFound", path: subject }
    case "invalid_args":
      return { type: "InvalidArgument", message }
    case "conflict":
      // A text or a hunk that does not fit is a matter of the arguments there; a version is what the file was before.
      return tool === "edit" || tool === "patch"
        ? { type: "InvalidArgument", message }
        : { type: "VersionConflict", path: subject }
    case "denied":
      return { type: "HookDenied", reason: message, retryable: false }
    case "timeout":
      return { type: "Timeout", op: tool, duration_ms: durationMs }
    case "cancelled":
      return { type: "Cancelled", op: tool }
    case "rate_limited":
      return { type: "RateLimited", ...retryAfter(failure.details) }
    case "unsupported":
    case "not_configured":
    case "too_large":
      return { type: "Unsupported", message }
    default:
      return { type: "Transport", op: tool }
  }
}

/** Milliseconds as our own limits say them, or the seconds of a server's header; a date there says nothing here. */
function retryAfter(details: unknown): { readonly retry_after_ms?: number } {
  const { retry_after_ms: wait, retry_after: header } = (details ?? {}) as {
    readonly retry_after_ms?: unknown
    readonly retry_after?: unknown
  }
  if (typeof wait === "number") return { retry_after_ms: wait }
  return typeof header === "string" && /^\d{1,9}$/.test(header) ? { retry_after_ms: Number(header) * 1000 } : {}
}

function isUnknownTool(details: unknown): boolean {
  return typeof details === "object" && details !== null && "unknown_tool" in details
}
