import { type CallerSignal, ToolError, TurnEnd } from "@haft/contract"

// How long a tool may take to wind up and return what it has, once its call was aborted.
const windUpMs = 1000

/** The one signal of a call: it aborts when the caller or the session does, or when the deadline of the work passes. */
export class CallSignal {
  private readonly outer: CallerSignal | undefined
  private controller: AbortController | undefined
  private reason: ToolError | undefined
  private readonly listeners = new Set<() => void>()

  constructor(outer: CallerSignal | undefined) {
    this.outer = outer
  }

  /** Made at first use: an AbortController costs more than all checks of a small call. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.reason) this.controller.abort(this.reason)
    return this.controller.signal
  }

  /** Whether `signal` is aborted, or would be if somebody had asked for it. */
  get aborted(): boolean {
    return this.reason !== undefined
  }

  /** Calls back when the call is aborted, at once when it is already; gives what ends that. Makes no signal. */
  onAbort(listener: () => void): () => void {
    if (this.reason) listener()
    else this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Ends the call with this reason; the first reason is the one that counts. */
  abort(reason: ToolError): void {
    if (this.reason) return
    this.reason = reason
    this.controller?.abort(reason)
    for (const listener of this.listeners) listener()
    this.listeners.clear()
  }

  /** Throws when the caller has already given up, or the session has ended. */
  check(): void {
    if (this.reason) throw this.reason
    if (this.outer?.aborted) throw cancelled(this.outer.reason)
  }

  /** Waits without a deadline, for instance for a person; ends at once when the caller gives up. */
  wait<T>(work: Promise<T>): Promise<T> {
    return this.race(work, { timeoutMs: undefined, windUpMs: 0 })
  }

  /** Waits for the work of a tool; after an abort only as long as the tool needs to wind up. */
  work<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    return this.race(work, { timeoutMs, windUpMs })
  }

  private race<T>(work: Promise<T>, options: { timeoutMs: number | undefined; windUpMs: number }): Promise<T> {
    const { outer } = this
    return new Promise<T>((settle, fail) => {
      let windUp: NodeJS.Timeout | undefined
      const stopListening = this.onAbort(() => {
        windUp = setTimeout(() => {
          done()
          fail(this.reason)
        }, options.windUpMs)
      })
      const onOuterAbort = () => this.abort(cancelled(outer?.reason))
      const { timeoutMs } = options
      const deadline =
        timeoutMs === undefined ? undefined : startDeadline(timeoutMs, () => this.abort(timedOut(timeoutMs)))
      outer?.addEventListener("abort", onOuterAbort, { once: true })
      if (outer?.aborted) onOuterAbort()
      const done = () => {
        stopListening()
        deadline?.clear()
        clearTimeout(windUp)
        outer?.removeEventListener("abort", onOuterAbort)
      }
      work.then(
        (value) => {
          done()
          settle(value)
        },
        (error) => {
          done()
          // A wait that ended because of the abort reports the abort, whatever it threw.
          fail(this.reason && !ToolError.is(error) ? this.reason : error)
        },
      )
    })
  }
}

function cancelled(reason: unknown): ToolError {
  if (ToolError.is(reason)) return reason
  return new ToolError("cancelled", "Cancelled by the caller", reason === undefined ? {} : { cause: reason })
}

function timedOut(timeoutMs: number): ToolError {
  return new ToolError("timeout", `The call did not end within ${timeoutMs} ms`, {
    hint: "Ask for less at a time",
  })
}

/** The calls that a session has under way: its end is the end of each of them. */
export class RunningCalls {
  private readonly sessionId: string
  private readonly running = new Set<CallSignal>()
  private ended: ToolError | undefined
  private isLeft = false
  private readonly onIdle: (() => void)[] = []

  constructor(sessionId: string) {
    this.sessionId = sessionId
  }

  /** The signal of a new call; in a session that has ended it is aborted from the start. */
  begin(outer: CallerSignal | undefined): CallSignal {
    const signal = new CallSignal(outer)
    if (this.ended) signal.abort(this.ended)
    this.running.add(signal)
    return signal
  }

  finish(signal: CallSignal): void {
    this.running.delete(signal)
    if (this.running.size > 0) return
    for (const resolve of this.onIdle.splice(0)) resolve()
  }

  /** Whether the session is let go of or has ended. */
  get isLeaving(): boolean {
    return this.isLeft || this.ended !== undefined
  }

  /** The session can be opened again: a call that fails from now on and may be made again is not at its end. */
  leave(): void {
    this.isLeft = true
  }

  /** Throws in a session that has ended. */
  check(): void {
    if (this.ended) throw this.ended
  }

  /** Refuses every further call, aborts those under way and resolves when none is left. */
  async end(): Promise<void> {
    this.ended ??= new ToolError("cancelled", `Cannot use session "${this.sessionId}": it is closed`, {
      hint: "Open another session",
    })
    if (this.running.size === 0) return
    const idle = new Promise<void>((resolve) => {
      this.onIdle.push(resolve)
    })
    for (const signal of this.running) signal.abort(this.ended)
    await idle
  }
}

/** A deadline that is running. */
export interface Deadline {
  clear(): void
}

// Deadlines of this turn of the event loop; state of the loop rather than of a session.
let deadlinesBegun: LateDeadline[] = []
const deadlineTurn = new TurnEnd(setTimers)

/**
 * Calls `pass` once when the time is over. A timer is set at the end of the turn only: none can be due before, and most
 * calls have ended by then, so that a small call costs no timer.
 */
export function startDeadline(timeoutMs: number, pass: () => void): Deadline {
  const deadline = new LateDeadline(performance.now() + timeoutMs, pass)
  deadlineTurn.schedule()
  deadlinesBegun.push(deadline)
  return deadline
}

function setTimers(): void {
  const deadlines = deadlinesBegun
  deadlinesBegun = []
  for (const deadline of deadlines) deadline.setTimer()
}

class LateDeadline implements Deadline {
  private readonly dueMs: number
  private pass: (() => void) | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(dueMs: number, pass: () => void) {
    this.dueMs = dueMs
    this.pass = pass
  }

  setTimer(): void {
    if (this.pass) this.timer = setTimeout(this.pass, Math.max(1, this.dueMs - performance.now()))
  }

  clear(): void {
    this.pass = undefined
    if (this.timer) clearTimeout(this.timer)
  }
}

// Enough to keep the loop busy, few enough that timers and sockets never wait long.
const callsPerTurn = 24

// State of the event loop rather than of a session: all sessions of a process share one loop.
const waiting: (() => void)[] = []
let callsBegun = 0
const callTurn = new TurnEnd(endTurn)

/**
 * Lets a bounded number of calls begin in one turn of the event loop; the rest wait for a later turn, in order.
 * A thousand calls at once would otherwise be validated and judged in one go, with everything else standing still.
 * Undefined when the call may begin at once, which costs nothing.
 */
export function turnGate(): Promise<void> | undefined {
  callTurn.schedule()
  if (waiting.length === 0 && callsBegun < callsPerTurn) {
    callsBegun += 1
    return undefined
  }
  return new Promise((begin) => waiting.push(begin))
}

function endTurn(): void {
  const next = waiting.splice(0, callsPerTurn)
  callsBegun = next.length
  if (callsBegun > 0) callTurn.schedule()
  for (const begin of next) begin()
}
