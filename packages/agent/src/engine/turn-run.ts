import {
  type Answer,
  type Json,
  type Settled,
  type StepOptions,
  type StepScope,
  type StepSpec,
  ToolError,
  type TurnPort,
  type TurnResult,
  type WaitOptions,
} from "@haft/contract"
import { requirePlainJson } from "../plain-json.js"
import { Bodies, type BodyHost, type Scope } from "./bodies.js"
import { Children, childKey } from "./children.js"
import type { EngineClock } from "./clock.js"
import { clockKey, isClockKey, type KnownStep, type OpenTurn } from "./open-turn.js"
import { RecordFit } from "./record-fit.js"
import { failureOf, type TurnHost } from "./turn-host.js"
import { untilAnswered } from "./until-answered.js"

/** Why a run stops before its function returns. */
interface Stop {
  readonly by: "abort" | "close" | "journal"
  readonly error: unknown
  readonly reason: string
}

/** One run of a turn in this process: gives recorded results back and records new ones. */
export class TurnRun implements TurnPort, BodyHost {
  readonly sessionId: string
  readonly turnId: string
  readonly signal: AbortSignal
  readonly turn: OpenTurn
  readonly clock: EngineClock
  readonly graceMs: number
  private readonly host: TurnHost
  private readonly controller = new AbortController()
  private readonly fit: RecordFit
  private readonly bodies = new Bodies(this)
  private readonly children: Children
  private stop: Stop | undefined
  private stopTimer: (() => void) | undefined
  private giveUp: ((error: unknown) => void) | undefined
  private clockReads = 0
  private idsMade = 0

  constructor(turn: OpenTurn, host: TurnHost) {
    this.turn = turn
    this.host = host
    this.clock = host.clock
    this.graceMs = host.graceMs
    this.fit = new RecordFit(turn)
    this.children = new Children(turn, host)
    this.sessionId = turn.sessionId
    this.turnId = turn.turnId
    this.signal = this.controller.signal
  }

  step<T extends Json>(key: string, run: (scope: StepScope) => Promise<T>, options: StepOptions<T> = {}): Promise<T> {
    return this.perform({ key, run, options }, "unclaimed")
  }

  async parallel<T extends Json>(
    specs: readonly StepSpec<T>[],
    { limit = specs.length }: { readonly limit?: number } = {},
  ): Promise<readonly Settled<T>[]> {
    // All keys are claimed before the first body runs, so that the record of the group is known to be asked for.
    const known = specs.map(({ key }) => this.fit.claim(key))
    const settled: Settled<T>[] = []
    const indexes = specs.keys()
    const work = async () => {
      for (const index of indexes) settled[index] = await this.settle(specs[index]!, known[index])
    }
    await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, specs.length)) }, work))
    this.refuseStopped()
    return settled
  }

  async wait<T extends Json>(name: string, options: WaitOptions): Promise<Answer<T>> {
    this.fit.claimWait(name)
    return this.answerOf<T>(name, options, undefined)
  }

  async child(sessionId: string, turnId: string, input: Json): Promise<TurnResult> {
    const child = { sessionId, turnId }
    const result = await this.step<Json>(childKey(child), () => this.children.run(child, input))
    return result as unknown as TurnResult
  }

  now(): Promise<number> {
    return this.step(clockKey(++this.clockReads), async () => this.clock.now())
  }

  uuid(): Promise<string> {
    return this.step(`uuid ${++this.idsMade}`, async () => this.host.uuid())
  }

  emit(chunk: { readonly key: string; readonly seq: number; readonly chunk: Json }): void {
    if (!this.stop) this.host.emit(this.turn, chunk)
  }

  /** Runs the turn to its end. Undefined when it was suspended: it has no end then, and can go on later. */
  async play(code: (port: TurnPort, input: Json) => Promise<Json>): Promise<TurnResult | undefined> {
    let result: TurnResult
    try {
      if (this.turn.attempt > 1) {
        await this.host.append(this.turn, { kind: "resume", attempt: this.turn.attempt }, false)
      }
      const value = (await this.untilCut(code(this, this.turn.input))) ?? null
      if (this.host.checksValues) requirePlainJson(value, `the result of turn "${this.turnId}"`)
      result = { state: "done", value }
    } catch (error) {
      result = { state: "failed", ...failureOf(error) }
    }
    this.stopTimer?.()
    if (this.stop && this.stop.by !== "abort") return undefined
    if (this.stop) return { state: "aborted", reason: this.stop.reason }
    if (result.state === "done") this.fit.end()
    return this.fit.misfit ? { state: "failed", ...failureOf(this.fit.misfit) } : result
  }

  /** Aborts the turn: its waits end, its bodies and children are asked to stop, and get the grace time to do so. */
  abort(reason: string): void {
    if (this.stop) return
    const error = new ToolError("cancelled", `The turn was aborted: ${reason}`)
    this.stop = { by: "abort", error, reason }
    this.turn.isStopping = true
    this.controller.abort(error)
    for (const wait of this.turn.waits.values()) if (!wait.end) wait.take?.({ state: "aborted" })
    this.bodies.abort(error)
    this.children.abort(reason)
    this.cutAfterGrace(error)
  }

  /** Stops without an end. A body that waits for a person is left where it is: to tell it to stop would end its call. */
  suspend(by: "close" | "journal", error: unknown): void {
    if (this.stop) return
    this.stop = { by, error, reason: by }
    for (const wait of this.turn.waits.values()) if (wait.step === undefined) wait.leave?.(error)
    this.bodies.suspend(error)
    this.cutAfterGrace(error)
  }

  /** The answer of a wait, recorded or to come. */
  async answerOf<T extends Json>(name: string, options: WaitOptions, scope: Scope | undefined): Promise<Answer<T>> {
    if (!this.turn.waits.has(name)) {
      this.refuseStopped()
      const step = scope && { step: scope.key }
      await this.host.append(this.turn, { kind: "wait", name, ask: options.ask, ...step }, false)
    }
    const wait = this.turn.waits.get(name)!
    if (wait.end) return wait.end as Answer<T>
    if (this.stop?.by === "abort") return { state: "aborted" }
    this.refuseStopped()
    if (wait.take) throw this.fit.misfits(`its code opens the wait "${name}" twice`)
    const expire = (state: "timed-out" | "aborted") =>
      this.host.endWait(this.turn, wait, { kind: "expired", name, state })
    const { clock } = this
    return (await untilAnswered(wait, options, scope?.signal, { clock, expire })) as Answer<T>
  }

  private async settle<T extends Json>(spec: StepSpec<T>, known: KnownStep | undefined): Promise<Settled<T>> {
    try {
      return { ok: true, value: await this.perform(spec, known) }
    } catch (error) {
      return { ok: false, error: { message: failureOf(error).message } }
    }
  }

  private async perform<T extends Json>(spec: StepSpec<T>, claimed: KnownStep | undefined | "unclaimed"): Promise<T> {
    const { key, options = {} } = spec
    const known = claimed === "unclaimed" ? this.fit.claim(key) : claimed
    if (known?.kind === "step") return known.value as T
    if (known?.kind === "failure") throw new ToolError(known.error.code ?? "internal", known.error.message)
    this.refuseStopped()
    if (options.recorded) {
      const found = this.turn.attempt > 1 ? await options.recorded() : undefined
      if (found !== undefined) return found
      // An abort that came meanwhile found no body to stop.
      this.refuseStopped()
    }
    if (!isClockKey(key)) this.fit.requireAllClaimed("step", key)
    if (!options.recorded && options.retry === "never") {
      if (known) return this.interrupted(spec)
      await this.host.append(this.turn, { kind: "intent", key }, true)
      this.refuseStopped()
    }
    let value: T
    try {
      value = await this.bodies.run(spec)
    } catch (error) {
      return this.failed(spec, error)
    }
    // What a body gives back when the engine closes may be the result of being stopped. It is run again, if it may be.
    const isRecorded = options.recorded !== undefined
    if (this.stop && this.stop.by !== "abort" && (isRecorded || options.retry !== "never")) throw this.stop.error
    if (isRecorded) return value
    const recording = this.record(spec, value)
    if (recording) await recording
    return value
  }

  private async failed<T extends Json>({ key }: StepSpec<T>, error: unknown): Promise<never> {
    if (this.stop) throw this.stop.error
    const failure = { kind: "failure", key, attempt: this.turn.attempt, error: failureOf(error) } as const
    await this.host.append(this.turn, failure, false)
    throw error
  }

  /** The result of a step that an earlier process began and that must not be begun again. */
  private async interrupted<T extends Json>(spec: StepSpec<T>): Promise<T> {
    const value = spec.options?.interrupted?.()
    if (value === undefined) {
      const message = `Cannot tell how step "${spec.key}" ended: its process stopped before the result was recorded`
      const error = new ToolError("unavailable", message)
      const failure = { kind: "failure", key: spec.key, attempt: this.turn.attempt, error: failureOf(error) } as const
      await this.host.append(this.turn, failure, true)
      throw error
    }
    await this.record(spec, value)
    return value
  }

  private record<T extends Json>({ key, options = {} }: StepSpec<T>, value: T): Promise<void> | undefined {
    if (this.host.checksValues) requirePlainJson(value, `the result of step "${key}"`)
    const { synced = options.retry === "never" } = options
    const isSynced = typeof synced === "function" ? synced(value) : synced
    return this.host.append(this.turn, { kind: "step", key, attempt: this.turn.attempt, value }, isSynced)
  }

  private refuseStopped(): void {
    if (this.stop) throw this.stop.error
    if (this.fit.misfit) throw this.fit.misfit
  }

  private cutAfterGrace(error: unknown): void {
    this.stopTimer = this.clock.after(this.graceMs, () => {
      this.bodies.cut(error)
      this.giveUp?.(error)
    })
  }

  /** The code's own promise, or the end of the grace time after a stop. */
  private untilCut(value: Promise<Json>): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.giveUp = reject
      value.then(resolve, reject)
    })
  }
}
