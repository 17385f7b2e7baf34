import { ToolError } from "@haft/contract"
import type { Job, JobName, JobResults } from "./job.js"
import { createMemoryWatch } from "./memory-watch.js"
import { type JobWorker, startJobWorker } from "./start-job-worker.js"

/** Runs jobs apart from the main thread. */
export interface JobPool {
  run<Name extends JobName>(job: Job<Name>): Promise<JobResults[Name]>
  close(): Promise<void>
}

// A job that hangs keeps its thread until its time is up; the others must find one meanwhile.
const maxWorkers = 4
// A person who reads one image often reads the next soon after.
const idleMs = 10_000

/** Makes a pool without threads: a job starts one when none is free, and they end when they have long had nothing to do. */
export function createJobPool(): JobPool {
  const memory = createMemoryWatch()
  const idle: JobWorker[] = []
  const waiting: (() => void)[] = []
  let running = 0
  let idleTimer: NodeJS.Timeout | undefined

  async function run<Name extends JobName>(job: Job<Name>): Promise<JobResults[Name]> {
    clearTimeout(idleTimer)
    if (job.signal.aborted) throw cancelled(job)
    if (running >= maxWorkers) await turn(job)
    else running += 1
    const worker = takeIdle() ?? startJobWorker(memory)
    try {
      return await worker.run(job)
    } finally {
      if (worker.alive) idle.push(worker)
      release()
    }
  }

  function takeIdle(): JobWorker | undefined {
    for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) if (worker.alive) return worker
    return undefined
  }

  /** Resolves with a place to run in, which the job that ends hands over; rejects as soon as nobody waits any more. */
  function turn(job: Job): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        job.signal.removeEventListener("abort", leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(cancelled(job))
      }
      waiting.push(start)
      job.signal.addEventListener("abort", leave, { once: true })
    })
  }

  function release(): void {
    const next = waiting.shift()
    if (next !== undefined) next()
    else running -= 1
    if (running === 0) idleTimer = setTimeout(() => void close(), idleMs).unref()
  }

  async function close(): Promise<void> {
    clearTimeout(idleTimer)
    await Promise.all(idle.splice(0).map((worker) => worker.end()))
  }

  return { run, close }
}

function cancelled({ action }: Job): ToolError {
  return new ToolError("cancelled", `Cannot ${action}: the call was cancelled`)
}
