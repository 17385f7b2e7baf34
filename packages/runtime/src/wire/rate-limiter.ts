/** A token bucket for the messages of another program: so many may come at once, and so many each second from then on. */
export class RateLimiter {
  private left: number
  private refilledMs: number

  constructor(
    private readonly limits: { readonly burst: number; readonly perSecond: number },
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.left = limits.burst
    this.refilledMs = nowMs()
  }

  /** Takes one message off; false where the other side floods. */
  take(): boolean {
    const { burst, perSecond } = this.limits
    const now = this.nowMs()
    this.left = Math.min(burst, this.left + ((now - this.refilledMs) / 1000) * perSecond) - 1
    this.refilledMs = now
    return this.left >= 0
  }
}
