/** What work needs of the signal of its caller. An AbortSignal has it, and costs more than a small call. */
export interface CallerSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: true }): void
  removeEventListener(type: "abort", listener: () => void): void
}

/** Says once that work is over for its caller. */
export class Cancellation implements CallerSignal {
  aborted = false
  reason: unknown
  /** Few: a set would cost a hash for each of them (bench: agent-step). */
  private listeners: (() => void)[] | undefined

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    // One that is taken away meanwhile is not called.
    for (let next = this.listeners?.shift(); next; next = this.listeners?.shift()) next()
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.aborted) return
    if (this.listeners === undefined) this.listeners = [listener]
    else if (!this.listeners.includes(listener)) this.listeners.push(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.listeners?.indexOf(listener) ?? -1
    if (at < 0) return
    if (this.listeners!.length === 1) this.listeners = undefined
    else this.listeners!.splice(at, 1)
  }
}
