import { cancelled } from "@haft/host"

/** Lets a bounded number of machines run at once; the others wait in the order of their coming. */
export interface Slots {
  use<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

/** Slots for so many machines. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    if (free > 0) {
      free -= 1
      return undefined
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", give)
        resolve()
      }
      const give = (): void => {
        waiting.splice(waiting.indexOf(admit), 1)
        reject(cancelled(signal))
      }
      waiting.push(admit)
      signal.addEventListener("abort", give, { once: true })
    })
  }
  return {
    async use(signal, work) {
      if (signal.aborted) throw cancelled(signal)
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
