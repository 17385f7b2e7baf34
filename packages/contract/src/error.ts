/** The closed list of ways in which a call can fail. */
export const errorCodes = [
  "invalid_args",
  "not_found",
  "conflict",
  "denied",
  "too_large",
  "timeout",
  "cancelled",
  "unavailable",
  "unsupported",
  "rate_limited",
  "not_configured",
  "backend",
  "internal",
] as const

/** One of the closed list of failure codes. */
export type ErrorCode = (typeof errorCodes)[number]

/** What each code means to a caller; printed in the generated documentation. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid_args: "The arguments do not fit the tool; the message names the key and what was expected",
  not_found: "What the call names does not exist; near names are given where there are some",
  conflict: "The world is not as the call assumes: text not found, ambiguous, or changed since it was read",
  denied: "A capability, a rule, the watchdog or a person refused the call; the ladder says which",
  too_large: "The content exceeds a limit; the message names the limit and the way around it",
  timeout: "The deadline passed before the work was done",
  cancelled: "The caller aborted the call",
  unavailable: "Something that the call needs is not there now; trying later may help",
  unsupported: "The tool cannot do this with this kind of thing",
  rate_limited: "Too many calls in this time",
  not_configured: "The host lacks a setting or a program; the hint names it",
  backend: "A program or service below the tool failed",
  internal: "A defect of Haft or of the tool",
}

/** More about a failure: the next step, data for programs, and what caused it. */
export interface ToolErrorOptions {
  readonly hint?: string
  readonly details?: unknown
  readonly cause?: unknown
}

/** An expected failure with a code from the closed list and, where there is one, the next step. */
export class ToolError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: unknown

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "ToolError"
    this.code = code
    this.hint = options.hint
    this.details = options.details
  }

  /** Recognises a ToolError also when it comes from a second copy of this package. */
  static is(value: unknown): value is ToolError {
    return value instanceof Error && value.name === "ToolError" && errorCodes.includes((value as ToolError).code)
  }
}
