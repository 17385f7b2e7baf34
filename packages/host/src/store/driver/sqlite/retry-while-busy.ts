import { setTimeout as sleep } from "node:timers/promises"

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
