import type { ErrorCode } from "@haft/contract"

/** The type of each failure: one word for one reason, so that a host can tell them apart without reading the message. */
export const errorTypes = {
  invalid_args: "InvalidArguments",
  not_found: "NotFound",
  conflict: "Conflict",
  denied: "PermissionDenied",
  too_large: "TooLarge",
  timeout: "Timeout",
  cancelled: "Cancelled",
  unavailable: "Unavailable",
  unsupported: "Unsupported",
  rate_limited: "RateLimited",
  not_configured: "NotConfigured",
  backend: "BackendError",
  internal: "PluginServerError",
} as const satisfies Readonly<Record<ErrorCode, string>>

/** A failure as LobeHub's hosts and models get it. */
export interface LobeError {
  /** A stable code. */
  readonly type: (typeof errorTypes)[ErrorCode] | "ApiNotFound" | "ExecutorNotFound"
  readonly message: string
  readonly body?: unknown
}

/** What a LobeHub executor returns. */
export interface LobeResult {
  readonly success: boolean
  /** What the model reads; never empty. */
  readonly content: string
  /** What its faces draw: the result, never the arguments again. */
  readonly state?: unknown
  readonly error?: LobeError
}

/** What an API has to say before it is put into shape. */
export interface LobeOutput {
  readonly success: boolean
  readonly content?: string
  readonly state?: unknown
  readonly error?: LobeError
}

/** The one way out of every API: content is never empty, and a failure keeps what there is to show. */
export function toResult({ success, content, state, error }: LobeOutput): LobeResult {
  return {
    success,
    content: content || error?.message || (success ? "Done" : "The tool failed and did not say why"),
    ...(state !== undefined && { state }),
    ...(error !== undefined && !success && { error }),
  }
}
