/** Why a running program is waited for no longer. */
export type EndReason = "exit" | "late" | "silent" | "aborted"

/** What can end the wait. */
export interface EndConditions {
  readonly exit: Promise<unknown>
  readonly timeoutMs: number
  readonly idleMs: number | undefined
  readonly signal: AbortSignal
  /** Milliseconds since the last output. */
  readonly silentMs: () => number
}

/** Settles with what comes first; leaves no timer and no listener behind. */
export function firstEnd({ exit, timeoutMs, idleMs, signal, silentMs }: EndConditions): Promise<EndReason> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => settle("late"), timeoutMs)
    let idle: NodeJS.Timeout | undefined
    const settle = (reason: EndReason) => {
      clearTimeout(deadline)
      clearTimeout(idle)
      signal.removeEventListener("abort", onAbort)
      resolve(reason)
    }
    const onAbort = () => settle("aborted")
    const watchSilence = (limitMs: number) => {
      const leftMs = limitMs - silentMs()
      if (leftMs <= 0) settle("silent")
      else idle = setTimeout(() => watchSilence(limitMs), Math.ceil(leftMs))
    }
    exit.then(() => settle("exit"))
    if (idleMs !== undefined) watchSilence(idleMs)
    signal.addEventListener("abort", onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}
