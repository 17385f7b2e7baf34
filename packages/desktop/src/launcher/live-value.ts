import { ToolError } from "@haft/contract"

/** A value that is costly to make and goes stale. */
export interface LiveValue<Value> {
  /** The newest value that can be had without a long wait; the first one is waited for. */
  get(signal: AbortSignal): Promise<Value>
  close(): Promise<void>
}

/**
 * Makes the value when it is first wanted, and again when it is wanted and old. A new one is waited for a moment only:
 * where making it takes longer, the old one answers and the new one is there the next time.
 */
export function createLiveValue<Value>(make: (signal: AbortSignal) => Promise<Value>): LiveValue<Value> {
  const closing = new AbortController()
  let value: { readonly content: Value } | undefined
  let making: Promise<void> | undefined
  let freshUntil = Number.NEGATIVE_INFINITY

  async function renew(): Promise<void> {
    const started = performance.now()
    try {
      value = { content: await make(closing.signal) }
    } finally {
      const ended = performance.now()
      // What takes long is done less often: at most a twentieth of the time goes into it.
      freshUntil = ended + Math.max(minimumAgeMs, 20 * (ended - started))
      making = undefined
    }
  }

  return {
    async get(signal) {
      if (performance.now() >= freshUntil) making ??= renew()
      if (making !== undefined) await firstOf(making, signal, value === undefined ? undefined : patienceMs)
      if (signal.aborted) throw new ToolError("cancelled", "Cannot search: the call was cancelled")
      if (value === undefined) throw new ToolError("unavailable", "Cannot search: the index was closed")
      return value.content
    },
    async close() {
      closing.abort()
      await making?.catch(() => undefined)
    },
  }
}

const minimumAgeMs = 2_000
const patienceMs = 150

/** Waits for the work, but not beyond an abort or the given time; its failure counts only for who has nothing else. */
async function firstOf(work: Promise<void>, signal: AbortSignal, timeMs: number | undefined): Promise<void> {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    const timer = timeMs === undefined ? undefined : setTimeout(resolve, timeMs)
    const abandon = () => resolve()
    signal.addEventListener("abort", abandon)
    if (signal.aborted) resolve()
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", abandon)
    }
  })
  try {
    await Promise.race([timeMs === undefined ? work : work.catch(() => undefined), stopped])
  } finally {
    stop()
  }
}
