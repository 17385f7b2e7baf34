/** The end of some work: when its time is over or somebody gives it up. */
export interface Clock {
  /** Aborted at the end. */
  readonly signal: AbortSignal
  /** Whether the end came because the time was over. */
  readonly isOver: () => boolean
  /** Gives the answer of the work, or rejects at the end even if the work cannot be interrupted. */
  race<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/** Starts a clock that also ends with any of the given signals. */
export function startClock(ms: number, givenUp: readonly AbortSignal[]): Clock {
  const ending = new AbortController()
  let over = false
  const timer = setTimeout(
    () => {
      over = true
      ending.abort()
    },
    Math.min(ms, longestMs),
  )
  const onAbort = () => ending.abort()
  for (const signal of givenUp) {
    if (signal.aborted) ending.abort()
    signal.addEventListener("abort", onAbort)
  }
  return {
    signal: ending.signal,
    isOver: () => over,
    race: (work) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(ending.signal.reason)
        if (ending.signal.aborted) stop()
        ending.signal.addEventListener("abort", stop)
        work.then(resolve, reject).finally(() => ending.signal.removeEventListener("abort", stop))
      }),
    stop() {
      clearTimeout(timer)
      for (const signal of givenUp) signal.removeEventListener("abort", onAbort)
    },
  }
}

/** Node ends longer ones at once. */
const longestMs = 2 ** 31 - 1
