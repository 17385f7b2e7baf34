import type { StreamOrder } from "../envelope.js"
import type { CapturedStream } from "./commands.js"
import type { Isolation } from "./sandbox.js"

/** A piece of code for an interpreter that stays alive for the session. */
export interface ReplRequest {
  readonly language: "python" | "javascript" | "shell"
  readonly code: string
  readonly timeoutMs: number
  readonly keepBytes: number
  readonly signal: AbortSignal
  /** A new interpreter for this one piece, thrown away afterwards. */
  readonly fresh?: boolean
}

/** What an interpreter answered. */
export interface ReplOutcome {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  /** In which order the streams were read; absent when all of stdout came first. */
  readonly order?: StreamOrder
  /** A file with the whole output, when it did not fit. */
  readonly outputPath?: string
  /** 0 when the code ran through, 1 when it raised, null when the interpreter was lost. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly isolation: Isolation
}

/** Interpreters in the sandbox, one a language and session. */
export interface Repl {
  evaluate(request: ReplRequest): Promise<ReplOutcome>
}
