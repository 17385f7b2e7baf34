import { ToolError } from "@haft/contract"
import type { Job, JobName, JobResults } from "./job.js"
import { createMemoryWatch } from "./memory-watch.js"
import { type JobWorker, startJobWorker } from "./start-job-worker.js"

// A job that hangs keeps its thread until its time is up; the others must find one meanwhile.
const maxWorkers = 4
// A person who reads one image often reads the next soon after.
const idleMs = 10_000

/**
 * Runs jobs apart from the main thread. A job starts a thread when none is free, and threads end when they have long had
 * nothing to do.
 */
export class JobPool {
  private readonly memory = createMemoryWatch()
  private readonly idle: JobWorker[] = []
  private readonly waiting: (() => void)[] = []
  private running = 0
  private idleTimer: NodeJS.Timeout | undefined

  async run<Name extends JobName>(job: Job<Name>): Promise<JobResults[Name]> {
    clearTimeout(this.idleTimer)
    if (job.signal.aborted) throw cancelled(job)
    if (this.running >= maxWorkers) await this.turn(job)
    else this.running += 1
    try {
      const worker = this.takeIdle() ?? startJobWorker(this.memory)
      return await worker.run(job).finally(() => worker.alive && this.idle.push(worker))
    } finally {
      this.release()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idleTimer)
    await Promise.all(this.idle.splice(0).map((worker) => worker.end()))
  }

  private takeIdle(): JobWorker | undefined {
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) if (worker.alive) return worker
    return undefined
  }

  /** Resolves with a place to run in, which the job that ends hands over; rejects as soon as nobody waits any more. */
  private turn(job: Job): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        job.signal.removeEventListener("abort", leave)
        resolve()
      }
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(start), 1)
        reject(cancelled(job))
      }
      this.waiting.push(start)
      job.signal.addEventListener("abort", leave, { once: true })
    })
  }

  private release(): void {
    const next = this.waiting.shift()
    if (next !== undefined) next()
    else this.running -= 1
    if (this.running === 0) this.idleTimer = setTimeout(() => void this.close(), idleMs).unref()
  }
}

function cancelled({ action }: Job): ToolError {
  return new ToolError("cancelled", `Cannot ${action}: the call was cancelled`)
}
