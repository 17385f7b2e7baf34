import type { FileReader, LanguageItem, LanguageRequest } from "@haft/contract"
import type { LanguageLimits } from "../limits.js"
import type { ServerSession } from "../pool/server-session.js"
import type { JudgePath } from "./judged-paths.js"

/** One question to one server on behalf of one call. */
export interface Asking {
  readonly session: ServerSession
  readonly request: LanguageRequest
  readonly files: FileReader
  readonly admits: JudgePath
  readonly limits: LanguageLimits
  readonly signal: AbortSignal
}

/** What came back, judged already. */
export interface Answer {
  readonly items: readonly LanguageItem[]
  readonly text?: string
  /** Places that the call may not see. */
  readonly denied: number
  /** True when the server said nothing about the current text in time. */
  readonly stale?: boolean
}
