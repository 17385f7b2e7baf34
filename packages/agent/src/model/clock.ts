import { type CallerSignal, TurnEnd } from "@haft/contract"
import { startDeadline } from "@haft/runtime"

/** The only clock of the model folder, handed in, so that a test or a replay decides what time is. */
export interface ModelClock {
  /** Runs `pass` once after `ms`; gives what takes that back. */
  after(ms: number, pass: () => void): () => void
}

/** The timers of this machine, for the composition root. */
export const machineClock: ModelClock = {
  after(ms, pass) {
    const deadline = startDeadline(ms, pass)
    return () => deadline.clear()
  },
}

/** Work that ends early when a signal aborts, or when nothing is heard of it for too long. */
export class Watch {
  private readonly signal: CallerSignal
  private readonly clock: ModelClock
  private readonly onAbort = () => this.fail?.(this.signal.reason)
  private fail: ((reason: unknown) => void) | undefined
  private late: ((ms: number) => Error) | undefined
  private limitMs = 0
  private takeBack: (() => void) | undefined
  private hasHeard = false

  constructor(signal: CallerSignal, clock: ModelClock) {
    this.signal = signal
    this.clock = clock
    signal.addEventListener("abort", this.onAbort, { once: true })
  }

  /** From now on what is guarded fails with `late()` when `ms` pass without a sign of it. */
  begin(ms: number, late: (ms: number) => Error): void {
    this.late = late
    this.heard(ms)
  }

  /** The end of the work; rejects before it with the signal's reason, or when its time is over. */
  guard<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.fail = reject
      if (this.signal.aborted) reject(this.signal.reason)
      // A model may give no promise.
      Promise.resolve(work).then(resolve, reject)
    })
  }

  /**
   * A sign of the work: the time begins anew, and is `ms` from now on. Signs of one turn of the event loop set one timer, at
   * its end, because most replies of a fast model come in one (bench: agent-step).
   */
  heard(ms: number): void {
    this.limitMs = ms
    if (this.hasHeard) return
    this.hasHeard = true
    heardInTurn.push(this)
    turnEnd.schedule()
  }

  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.takeBack = this.clock.after(ms, resolve)
      this.fail = reject
      if (this.signal.aborted) reject(this.signal.reason)
    })
  }

  end(): void {
    this.late = undefined
    this.takeBack?.()
    this.takeBack = undefined
    this.signal.removeEventListener("abort", this.onAbort)
  }

  /** Sets the timer of the silence that begins now. */
  listen(): void {
    const { late, limitMs } = this
    if (!late) return
    this.takeBack?.()
    this.hasHeard = false
    this.takeBack = this.clock.after(limitMs, () => {
      if (!this.hasHeard) this.fail?.(late(limitMs))
    })
  }
}

let heardInTurn: Watch[] = []
const turnEnd = new TurnEnd(() => {
  const watches = heardInTurn
  heardInTurn = []
  for (const watch of watches) watch.listen()
})
