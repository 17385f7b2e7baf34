import type { ErrorCode } from "@haft/contract"

/** The job will not do what it is asked for, and says why. Anything else that a job throws is a failure of the worker. */
export class Refusal extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, reason: string) {
    super(reason)
    this.code = code
  }
}

/** For `throw refuse(...)`. */
export function refuse(code: ErrorCode, reason: string): Refusal {
  return new Refusal(code, reason)
}

/** The first line of what a library says about a failure; the lines below are a trace or an excerpt of the input. */
export function firstLine(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? ""
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
