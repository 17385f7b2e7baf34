import { type Answer, bestEffort, type CallerSignal, type Json, type WaitOptions } from "@haft/contract"
import type { EngineClock } from "./clock.js"
import type { Wait } from "./open-turn.js"

/** What an open wait needs of its turn. */
export interface WaitHost {
  readonly clock: EngineClock
  /** Records that it ended without an answer, unless it has ended. */
  expire(state: "timed-out" | "aborted"): Promise<unknown>
}

/** Waits until a wait has its answer, its time is over, or one of the signals aborts. */
export function untilAnswered(
  wait: Wait,
  { timeoutMs, signal }: WaitOptions,
  outer: CallerSignal | undefined,
  { clock, expire }: WaitHost,
): Promise<Answer<Json>> {
  const end = (state: "timed-out" | "aborted") =>
    void bestEffort("a failure to record it stops the whole turn, which ends the wait as well", expire(state))
  const onAbort = () => end("aborted")
  const stopTimer =
    timeoutMs === undefined
      ? undefined
      : clock.after(Math.max(0, wait.since + timeoutMs - clock.now()), () => end("timed-out"))
  const signals = [signal, outer].filter((each) => each !== undefined)
  for (const each of signals) each.addEventListener("abort", onAbort)
  return new Promise<Answer<Json>>((resolve, reject) => {
    wait.take = resolve
    wait.leave = reject
    if (signals.some((each) => each.aborted)) onAbort()
  }).finally(() => {
    stopTimer?.()
    for (const each of signals) each.removeEventListener("abort", onAbort)
    wait.take = undefined
    wait.leave = undefined
  })
}
