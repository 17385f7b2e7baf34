import {
  type Answer,
  Cancellation,
  type Json,
  type StepScope,
  type StepSpec,
  ToolError,
  type WaitOptions,
} from "@haft/contract"
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
  /** Few at a time: a set would allocate with each body that ends (bench: agent-step). */
  private readonly running: Scope[] = []

  constructor(host: BodyHost) {
    this.host = host
  }

  /** Runs a body to its end; one that takes too long is asked to stop, and left behind after the grace time. */
  run<T extends Json>({ key, run, options }: StepSpec<T>): Promise<T> {
    const scope = new Scope(key, this.host)
    this.running.push(scope)
    const deadline = options?.timeoutMs === undefined ? undefined : this.deadline(scope, options.timeoutMs)
    // One promise by hand: each async function on the way of a step costs three (bench: agent-step).
    return new Promise<T>((resolve, reject) => {
      const end = () => {
        this.ended(scope)
        deadline?.stop()
      }
      const fail = (error: unknown) => {
        end()
        reject(deadline?.passed() ?? error)
      }
      scope.cut = fail
      begin(run, scope).then((value) => {
        end()
        resolve(value)
      }, fail)
    })
  }

  /** Twice for a body that was left behind and ends later. */
  private ended(scope: Scope): void {
    if (this.running.at(-1) === scope) this.running.pop()
    else if (this.running.includes(scope)) this.running.splice(this.running.indexOf(scope), 1)
  }

  /** Tells all bodies to stop. */
  abort(error: unknown): void {
    for (const scope of [...this.running]) scope.abort(error)
  }

  /** Tells bodies to stop; leaves one behind that waits for a person, because to tell it so would end its call. */
  suspend(error: unknown): void {
    for (const scope of [...this.running]) {
      if (scope.openWaits > 0) scope.cut(error)
      else scope.abort(error)
    }
  }

  /** Goes on without those that are left. */
  cut(error: unknown): void {
    for (const scope of [...this.running]) scope.cut(error)
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

/** A body that throws before it waits for anything has failed like any other. */
function begin<T>(body: (scope: StepScope) => Promise<T>, scope: Scope): Promise<T> {
  try {
    return body(scope)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The body of one step while it runs. */
export class Scope implements StepScope {
  readonly key: string
  readonly attempt: number
  readonly signal = new Cancellation()
  /** Waits for a person that the body is in. */
  openWaits = 0
  /** Goes on without the body, and ignores what becomes of it. */
  cut!: (error: unknown) => void
  private readonly host: BodyHost
  private chunks = 0

  constructor(key: string, host: BodyHost) {
    this.key = key
    this.attempt = host.turn.attempt
    this.host = host
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

  /** Tells the body to stop. */
  abort(reason: unknown): void {
    this.signal.abort(reason)
  }
}
