import { bestEffort, ToolError } from "@haft/contract"

/** A value that is costly to make and goes stale. */
export interface LiveValue<Value> {
  /** The newest value that can be had without a long wait; the first one is waited for. */
  get(signal: AbortSignal): Promise<Value>
  close(): Promise<void>
}

/**
 * Makes the value when it is first wanted, and again when it is wanted and old. A new one is waited for a moment only:
 * where making it takes longer, the old one answers and the new one is there the next time. After a change that is known,
 * which `changes` counts, the old one is wrong and the new one is waited for.
 */
export function createLiveValue<Value>(
  make: (signal: AbortSignal) => Promise<Value>,
  changes: () => number = () => 0,
): LiveValue<Value> {
  const closing = new AbortController()
  let value: { readonly content: Value; readonly changes: number } | undefined
  let making: Promise<void> | undefined
  let freshUntil = Number.NEGATIVE_INFINITY

  async function renew(): Promise<void> {
    const started = performance.now()
    const known = changes()
    try {
      value = { content: await make(closing.signal), changes: known }
    } finally {
      const ended = performance.now()
      // What takes long is done less often: at most a twentieth of the time goes into it.
      freshUntil = ended + Math.max(minimumAgeMs, 20 * (ended - started))
      making = undefined
    }
  }

  return {
    async get(signal) {
      const known = changes()
      const isWrong = () => value !== undefined && value.changes < known
      if (performance.now() >= freshUntil || isWrong()) making ??= renew()
      if (making !== undefined) {
        await firstOf(making, signal, {
          timeMs: value === undefined || isWrong() ? undefined : patienceMs,
          needed: !value,
        })
      }
      // The one that was waited for may have begun before the change.
      if (isWrong() && !signal.aborted && !closing.signal.aborted) {
        making ??= renew()
        await firstOf(making, signal, { timeMs: undefined, needed: false })
      }
      if (signal.aborted) throw new ToolError("cancelled", "Cannot search: the call was cancelled")
      if (value === undefined) throw new ToolError("unavailable", "Cannot search: the index was closed")
      return value.content
    },
    async close() {
      closing.abort()
      if (making) await bestEffort("a value that failed needs no end", making)
    },
  }
}

const minimumAgeMs = 2_000
const patienceMs = 150

/** Waits for the work, but not beyond an abort or the given time; its failure counts only where nothing else is there. */
async function firstOf(
  work: Promise<void>,
  signal: AbortSignal,
  { timeMs, needed }: { readonly timeMs: number | undefined; readonly needed: boolean },
): Promise<void> {
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
    await Promise.race([needed ? work : bestEffort("the value of before serves", work), stopped])
  } finally {
    stop()
  }
}
