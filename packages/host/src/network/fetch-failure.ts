import type { ErrorCode, Hint } from "@haft/contract"

/** Why a request failed, before anyone put the address in front. A class so that it is told apart from errors of Node. */
export class FetchFailure extends Error {
  readonly code: ErrorCode
  readonly hint: Hint | undefined
  /** What the user can do about it. */
  readonly fix: string | undefined

  constructor(code: ErrorCode, reason: string, hint?: Hint, fix?: string) {
    super(reason)
    this.name = "FetchFailure"
    this.code = code
    this.hint = hint
    this.fix = fix
  }
}
