import { setImmediate } from "node:timers/promises"

/** Makes a function to call between steps of long work: it lets other work of the thread run every few milliseconds. */
export function createYield(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < maxHoldMs) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

// ripgrep wants the processors too, and may hold this thread up for longer than its own work does.
const maxHoldMs = 2
