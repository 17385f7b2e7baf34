import { Worker } from "node:worker_threads"
import { ToolError } from "@haft/contract"
import type { Answer, Job } from "./job.js"
import { limits } from "./limits.js"
import type { MemoryWatch } from "./memory-watch.js"
import { packageAddresses } from "./package-addresses.js"
import { workerProgram } from "./worker/program.js"

/** A worker that does one job at a time. */
export interface JobWorker {
  /** False once it failed or was ended; a new one is needed then. */
  readonly alive: boolean
  run(job: Job): Promise<unknown>
  end(): Promise<void>
}

/** Starts a worker thread. It does not keep the process alive while it has nothing to do. */
export function startJobWorker(memory: MemoryWatch): JobWorker {
  const worker = new Worker(workerProgram, {
    eval: true,
    workerData: { addresses: packageAddresses(), limits },
    // The thread gets nothing of this process but the packages named above.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  let alive = true
  // A worker that fails between two jobs must not take the process down; the next job starts another.
  worker
    .on("error", () => undefined)
    .on("exit", () => {
      alive = false
    })
  const end = async () => {
    alive = false
    await worker.terminate()
  }
  return {
    get alive() {
      return alive
    },
    run: (job) => runJob(worker, job, memory).catch((error: unknown) => rethrow(error, end)),
    end,
  }
}

/** Rejects with a ToolError for what the job itself refuses, with a Breakdown when the worker is of no more use. */
function runJob(worker: Worker, job: Job, memory: MemoryWatch): Promise<unknown> {
  const { action, name, request, signal, timeoutMs } = job
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => breakDown("timeout", `it took longer than ${timeoutMs / 1000} s; use something smaller`),
      timeoutMs,
    )
    // Limits of the thread do not count memory outside its heap, which is where decompressed data lies.
    const hasBytes = request.bytes !== undefined
    const unfollow = memory.follow(hasBytes ? () => breakDown("too_large", memoryReason) : undefined)
    const onAbort = () => breakDown("cancelled", "the call was cancelled")
    const onMessage = (answer: Answer) => {
      settle()
      if ("value" in answer) resolve(answer.value)
      else reject(new ToolError(answer.failure.code, `Cannot ${action}: ${answer.failure.reason}`))
    }
    const onError = (error: Error & { code?: string }) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") breakDown("too_large", memoryReason)
      else breakDown("backend", error.message)
    }
    const onExit = () => breakDown("backend", "the worker ended unexpectedly")

    worker.ref()
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    signal.addEventListener("abort", onAbort, { once: true })
    if (signal.aborted) return onAbort()
    post(worker, name, request)

    function breakDown(code: ToolError["code"], reason: string): void {
      settle()
      reject(new Breakdown(new ToolError(code, `Cannot ${action}: ${reason}`)))
    }
    function settle(): void {
      clearTimeout(timer)
      unfollow()
      worker.off("message", onMessage).off("error", onError).off("exit", onExit)
      signal.removeEventListener("abort", onAbort)
      worker.unref()
    }
  })
}

/** Bytes are handed over as a copy, so that the caller's own stay usable. */
function post(worker: Worker, name: Job["name"], request: Job["request"]): void {
  if (request.bytes === undefined) worker.postMessage({ job: name, request })
  else {
    const bytes = new Uint8Array(request.bytes)
    worker.postMessage({ job: name, request: { ...request, bytes } }, [bytes.buffer])
  }
}

class Breakdown extends Error {
  readonly failure: ToolError

  constructor(failure: ToolError) {
    super(failure.message)
    this.failure = failure
  }
}

async function rethrow(error: unknown, end: () => Promise<void>): Promise<never> {
  if (!(error instanceof Breakdown)) throw error
  await end()
  throw error.failure
}

const memoryReason = "it needs more memory than is allowed; use something smaller"
