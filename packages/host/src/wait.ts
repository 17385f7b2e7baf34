import { ToolError } from "@haft/contract"

/** The error of an aborted call: the reason itself where it is one of ours. */
export function cancelled({ reason }: AbortSignal): ToolError {
  if (ToolError.is(reason)) return reason
  return new ToolError("cancelled", "Cannot finish the command: the call was cancelled", { cause: reason })
}

/** Settles as the work does, unless the wait for it is given up before: the work itself goes on. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(cancelled(signal))
    if (signal.aborted) giveUp()
    signal.addEventListener("abort", giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp))
  })
}

/** How a pause may end before its time. */
export interface PauseOptions {
  /** Ends the wait with the error of a cancelled call. */
  readonly signal?: AbortSignal | undefined
  /** False where the end of this process need not wait for it. */
  readonly ref?: boolean
}

/** Resolves after this time. A plain timer: to abort one makes two errors with their traces, at each command (row "bash true, confined"). */
export async function pause(ms: number, { signal, ref = true }: PauseOptions = {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
    if (!ref) timer.unref()
  })
  await unlessAborted(over, signal).finally(() => clearTimeout(timer))
}

/** Resolves as soon as the work has settled, and after this time at the latest; leaves no timer behind. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
