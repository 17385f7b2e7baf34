/** The time that an engine lives by. */
export interface EngineClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once after so many milliseconds, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void
}

/** The clock of the machine. */
export const systemClock: EngineClock = {
  now: Date.now,
  after(ms, run) {
    const alarm = new Alarm(ms, run)
    return () => alarm.stop()
  },
}

/** Node fires a timer of more than 2^31 ms at once, and waits for a person may be longer than these 24 days. */
const longestTimerMs = 2 ** 30

class Alarm {
  private leftMs: number
  private readonly run: () => void
  private timer: NodeJS.Timeout | undefined

  constructor(ms: number, run: () => void) {
    this.leftMs = ms
    this.run = run
    this.arm()
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private arm(): void {
    const ms = Math.min(this.leftMs, longestTimerMs)
    this.leftMs -= ms
    this.timer = setTimeout(() => (this.leftMs > 0 ? this.arm() : this.run()), ms)
  }
}
