/** Lets one user in at a time, in the order in which they came. */
export interface Turnstile {
  /** Enters at once when nobody is inside; false when one has to wait. */
  tryEnter(): boolean
  enter(): Promise<void>
  leave(): void
}

/** Makes a turnstile with nobody inside. */
export function createTurnstile(): Turnstile {
  const waiting: (() => void)[] = []
  let occupied = false
  return {
    tryEnter() {
      if (occupied) return false
      occupied = true
      return true
    },
    async enter() {
      if (this.tryEnter()) return
      await new Promise<void>((resolve) => waiting.push(resolve))
    },
    leave() {
      const next = waiting.shift()
      // The place passes straight to the next, so that nobody who comes later slips in between.
      if (next) next()
      else occupied = false
    },
  }
}
