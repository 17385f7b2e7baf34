/** The only clock of the model folder, handed in, so that a test or a replay decides what time is. */
export interface ModelClock {
  /** Runs `pass` once after `ms`; gives what takes that back. */
  after(ms: number, pass: () => void): () => void
}

/** The timers of this machine, for the composition root. */
export const machineClock: ModelClock = {
  after(ms, pass) {
    const timer = setTimeout(pass, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits, one after the other, that end early when a signal aborts or when a time is over. */
export class Watch {
  private readonly signal: AbortSignal
  private readonly clock: ModelClock
  private readonly onAbort = () => this.fail?.(this.signal.reason)
  private fail: ((reason: unknown) => void) | undefined

  constructor(signal: AbortSignal, clock: ModelClock) {
    this.signal = signal
    this.clock = clock
    signal.addEventListener("abort", this.onAbort, { once: true })
  }

  /** Rejects with `late()` when the work is not done in time, and with the signal's reason when that aborts. */
  wait<T>(work: PromiseLike<T>, ms: number, late: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.fail = reject
      if (this.signal.aborted) reject(this.signal.reason)
      const takeBack = this.clock.after(ms, () => reject(late()))
      work.then(
        (value) => {
          takeBack()
          resolve(value)
        },
        (error) => {
          takeBack()
          reject(error)
        },
      )
    })
  }

  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const takeBack = this.clock.after(ms, resolve)
      this.fail = (reason) => {
        takeBack()
        reject(reason)
      }
      if (this.signal.aborted) this.fail(this.signal.reason)
    })
  }

  end(): void {
    this.signal.removeEventListener("abort", this.onAbort)
  }
}
