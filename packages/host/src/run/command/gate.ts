import { ToolError } from "@haft/contract"
import { cancelled } from "../../wait.js"

/** Lets so many in at a time and makes the others wait. */
export interface Gate {
  /** Runs the work when there is room; work with the same key shares its turns. */
  enter<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  readonly start: () => void
}

/** A gate with a bounded queue; sessions take turns, so that one with many commands does not hold up another. */
export function createGate(limits: { readonly running: number; readonly waiting: number }): Gate {
  const queues = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  const leave = () => {
    running -= 1
    const next = queues.entries().next()
    if (next.done) return
    const [key, queue] = next.value
    const first = queue.shift()!
    // To the end of the line: the next turn is another session's.
    queues.delete(key)
    if (queue.length > 0) queues.set(key, queue)
    waiting -= 1
    running += 1
    first.start()
  }
  const admission = (key: string, signal: AbortSignal): Promise<void> | undefined => {
    if (signal.aborted) throw cancelled(signal)
    if (running < limits.running) {
      running += 1
      return undefined
    }
    if (waiting >= limits.waiting) {
      throw new ToolError("rate_limited", `Cannot run another command: ${waiting} are waiting already; try again later`)
    }
    waiting += 1
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        start: () => {
          signal.removeEventListener("abort", giveUp)
          resolve()
        },
      }
      const giveUp = () => {
        const queue = queues.get(key)!
        queue.splice(queue.indexOf(entry), 1)
        if (queue.length === 0) queues.delete(key)
        waiting -= 1
        reject(cancelled(signal))
      }
      const queue = queues.get(key)
      if (queue) queue.push(entry)
      else queues.set(key, [entry])
      signal.addEventListener("abort", giveUp, { once: true })
    })
  }
  return {
    async enter(key, signal, work) {
      await admission(key, signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
