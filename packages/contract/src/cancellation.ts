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
  private listeners: Set<() => void> | undefined

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    // One that is taken away meanwhile is not called.
    for (const listener of this.listeners ?? []) listener()
    this.listeners = undefined
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.aborted) return
    this.listeners ??= new Set()
    this.listeners.add(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.listeners?.delete(listener)
  }
}
