import { limits } from "./limits.js"

/** Watches the memory of the process for jobs whose data is outside the heap of their thread. */
export interface MemoryWatch {
  /** Counts a job from now on; `stop` is called when it seems to take more than is allowed. Returns what ends the watch. */
  follow(stop?: () => void): () => void
}

interface Followed {
  readonly stop: (() => void) | undefined
  startBytes: number
  /** The most jobs that ever ran beside this one: what they may take is not held against it. */
  company: number
}

/**
 * Makes a watch for the threads of one pool. Only the memory of the whole process can be measured: where several jobs
 * may be the cause, the oldest is stopped, because ordinary jobs are short.
 */
export function createMemoryWatch(): MemoryWatch {
  const followed = new Set<Followed>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const bytes = process.memoryUsage.rss()
    const guilty = [...followed].find(
      ({ stop, startBytes, company }) =>
        stop !== undefined && bytes - startBytes > limits.memoryBytes + company * heapBytes,
    )
    if (guilty === undefined) return
    followed.delete(guilty)
    for (const other of followed) other.startBytes = Math.max(other.startBytes, bytes)
    guilty.stop?.()
  }

  return {
    follow(stop) {
      const job: Followed = { stop, startBytes: process.memoryUsage.rss(), company: 0 }
      followed.add(job)
      for (const each of followed) each.company = Math.max(each.company, followed.size - 1)
      timer ??= setInterval(look, 50).unref()
      return () => {
        followed.delete(job)
        if (followed.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

const heapBytes = limits.heapMegabytes * 1.5 * 1024 * 1024
