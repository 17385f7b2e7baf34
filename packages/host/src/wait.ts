import { setTimeout } from "node:timers/promises"
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

/** Resolves after this time. */
export async function pause(ms: number, { signal, ref = true }: PauseOptions = {}): Promise<void> {
  const ended = new AbortController()
  const over = setTimeout(ms, undefined, { ref, signal: ended.signal })
  await unlessAborted(over, signal).finally(() => ended.abort())
}

/** Resolves as soon as the work has settled, and after this time at the latest; leaves no timer behind. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  const late = pause(ms, { signal: ended.signal })
  await Promise.race([work, late]).finally(() => ended.abort())
}
