import { setTimeout as sleep } from "node:timers/promises"

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

/**
 * Runs a statement again while another process holds the write lock. SQLite itself waits only briefly, because it
 * blocks this thread; the long wait is here, where other work goes on.
 */
export async function retryWhileBusy<Result>(run: () => Result, patienceMs = 15_000): Promise<Result> {
  const deadline = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(Math.random() * Math.min(5 * attempt, 50))
    }
  }
}

/** Whether SQLite gave up because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === "string" && (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
}
