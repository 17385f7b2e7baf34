import { cancelled } from "./cancelled.js"

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
