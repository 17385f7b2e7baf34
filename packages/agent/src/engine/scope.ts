import type { Answer, Json, StepScope, WaitOptions } from "@haft/contract"
import type { OpenTurn } from "./open-turn.js"

/** What a scope needs of the run that it belongs to. */
export interface ScopeHost {
  readonly turn: OpenTurn
  emit(chunk: { readonly key: string; readonly seq: number; readonly chunk: Json }): void
  answerOf<T extends Json>(name: string, options: WaitOptions, scope: Scope): Promise<Answer<T>>
}

/** The body of one step while it runs. */
export class Scope implements StepScope {
  readonly key: string
  readonly attempt: number
  /** Waits for a person that the body is in. */
  openWaits = 0
  private readonly host: ScopeHost
  private readonly controller = new AbortController()
  private chunks = 0
  private giveUp: ((error: unknown) => void) | undefined

  constructor(key: string, host: ScopeHost) {
    this.key = key
    this.attempt = host.turn.attempt
    this.host = host
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  get idempotencyKey(): string {
    return `${this.host.turn.sessionId}/${this.host.turn.turnId}/${this.key}`
  }

  emit(chunk: Json): void {
    this.host.emit({ key: this.key, seq: ++this.chunks, chunk })
  }

  async wait<T extends Json>(name: string, options: WaitOptions): Promise<Answer<T>> {
    this.openWaits++
    try {
      return await this.host.answerOf<T>(name, options, this)
    } finally {
      this.openWaits--
    }
  }

  /** Runs the body; rejects when it is given up, and then ignores what becomes of it. */
  perform<T>(body: (scope: StepScope) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.giveUp = reject
      body(this).then(resolve, reject)
    })
  }

  /** Tells the body to stop. */
  abort(reason: unknown): void {
    this.controller.abort(reason)
  }

  /** Goes on without the body. */
  cut(error: unknown): void {
    this.giveUp?.(error)
  }
}
