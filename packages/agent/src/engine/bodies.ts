import { getEventListeners } from "node:events"
import { type Answer, type Json, type StepScope, type StepSpec, ToolError, type WaitOptions } from "@haft/contract"
import type { EngineClock } from "./clock.js"
import type { OpenTurn } from "./open-turn.js"

/** What bodies need of the run that they belong to. */
export interface BodyHost {
  readonly turn: OpenTurn
  readonly clock: EngineClock
  readonly graceMs: number
  emit(chunk: { readonly key: string; readonly seq: number; readonly chunk: Json }): void
  answerOf<T extends Json>(name: string, options: WaitOptions, scope: Scope): Promise<Answer<T>>
}

/** The step bodies of a run that are under way. */
export class Bodies {
  private readonly host: BodyHost
  private readonly running = new Set<Scope>()
  /** That of the last body, which ended by itself: to make one costs more than all else of a step (bench: agent-step). */
  private unused: AbortController | undefined

  constructor(host: BodyHost) {
    this.host = host
  }

  /** Runs a body to its end; one that takes too long is asked to stop, and left behind after the grace time. */
  async run<T extends Json>({ key, run, options }: StepSpec<T>): Promise<T> {
    const scope = new Scope(key, this.host, this.unused)
    this.unused = undefined
    this.running.add(scope)
    const deadline = options?.timeoutMs === undefined ? undefined : this.deadline(scope, options.timeoutMs)
    try {
      const value = await scope.perform(run)
      // Not with a deadline: its timer could abort the controller after the body has ended.
      if (!deadline) this.unused = scope.release()
      return value
    } catch (error) {
      throw deadline?.passed() ?? error
    } finally {
      this.running.delete(scope)
      deadline?.stop()
    }
  }

  /** Tells all bodies to stop. */
  abort(error: unknown): void {
    for (const scope of this.running) scope.abort(error)
  }

  /** Tells bodies to stop; leaves one behind that waits for a person, because to tell it so would end its call. */
  suspend(error: unknown): void {
    for (const scope of this.running) {
      if (scope.openWaits > 0) scope.cut(error)
      else scope.abort(error)
    }
  }

  /** Goes on without those that are left. */
  cut(error: unknown): void {
    for (const scope of this.running) scope.cut(error)
  }

  private deadline(scope: Scope, timeoutMs: number): Deadline {
    const { clock, graceMs } = this.host
    let late: ToolError | undefined
    let stop = clock.after(timeoutMs, () => {
      const error = new ToolError("timeout", `Step "${scope.key}" did not end within ${timeoutMs} ms`)
      late = error
      scope.abort(error)
      stop = clock.after(graceMs, () => scope.cut(error))
    })
    return { passed: () => late, stop: () => stop() }
  }
}

interface Deadline {
  /** The error, once the time is over. */
  passed(): ToolError | undefined
  stop(): void
}

/** The body of one step while it runs. */
export class Scope implements StepScope {
  readonly key: string
  readonly attempt: number
  /** Waits for a person that the body is in. */
  openWaits = 0
  private readonly host: BodyHost
  private controller: AbortController | undefined
  private stopped: { readonly reason: unknown } | undefined
  private chunks = 0
  private giveUp: ((error: unknown) => void) | undefined

  constructor(key: string, host: BodyHost, controller: AbortController | undefined) {
    this.key = key
    this.attempt = host.turn.attempt
    this.host = host
    this.controller = controller
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.stopped) this.controller.abort(this.stopped.reason)
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
    this.stopped ??= { reason }
    this.controller?.abort(reason)
  }

  /** Goes on without the body. */
  cut(error: unknown): void {
    this.giveUp?.(error)
  }

  /** The controller of a body that has ended and was never asked to stop, for the next one; not while anybody listens to it. */
  release(): AbortController | undefined {
    if (this.stopped || !this.controller) return undefined
    return getEventListeners(this.controller.signal, "abort").length > 0 ? undefined : this.controller
  }
}
