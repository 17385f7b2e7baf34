/** The time that a call waits for a server. Each message of the server restarts it; it is paused while a person thinks. */
export class CallClock {
  isOver = false
  readonly signal: AbortSignal
  private readonly late = new AbortController()
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly ms: number,
    given: AbortSignal,
  ) {
    this.signal = AbortSignal.any([given, this.late.signal])
  }

  start(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.isOver = true
      this.late.abort()
    }, this.ms)
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
