import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { ToolError } from "@haft/contract"
import type { Answer, Job, JobMessage, JobName, JobResults } from "./job.js"
import { limits } from "./limits.js"
import type { MemoryWatch } from "./memory-watch.js"

/** A worker that does one job at a time. */
export interface JobWorker {
  /** False once it failed or was ended; a new one is needed then. */
  readonly alive: boolean
  run<Name extends JobName>(job: Job<Name>): Promise<JobResults[Name]>
  end(): Promise<void>
}

/** Starts a worker thread. It does not keep the process alive while it has nothing to do. */
export function startJobWorker(memory: MemoryWatch): JobWorker {
  const worker = new Worker(workerProgram(), {
    // The thread gets nothing of this process.
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

/** The bundle of the worker: beside the chunks of the built command or beside this module in the compiled package, and in the
 * compiled package when this module runs from the sources, as in tests. */
function workerProgram(): URL {
  const places = ["./compute-worker/", "../dist/compute-worker/"]
  const programs = places.map((place) => new URL(`${place}main.mjs`, import.meta.url))
  const found = programs.find((program) => existsSync(program))
  if (found !== undefined) return found
  throw new ToolError("backend", "Cannot start a worker: its program is not built", { fix: "Run: npm run build" })
}

/** Rejects with a ToolError for what the job itself refuses, with a Breakdown when the worker is of no more use. */
function runJob<Name extends JobName>(worker: Worker, job: Job<Name>, memory: MemoryWatch): Promise<JobResults[Name]> {
  const { action, request, signal, timeoutMs } = job
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => breakDown("timeout", `it took longer than ${timeoutMs / 1000} s; use something smaller`),
      timeoutMs,
    )
    // Limits of the thread do not count memory outside its heap, which is where decompressed data is.
    const hasBytes = "bytes" in request
    const unfollow = memory.follow(hasBytes ? () => breakDown("too_large", memoryReason) : undefined)
    const onAbort = () => breakDown("cancelled", "the call was cancelled")
    const onMessage = (answer: Answer) => {
      settle()
      if ("value" in answer) resolve(answer.value as JobResults[Name])
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
    post(worker, job)

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
function post(worker: Worker, { name, request }: Job): void {
  const send = (message: JobMessage, transfer: readonly ArrayBuffer[]) => worker.postMessage(message, transfer)
  if ("bytes" in request) {
    const bytes = new Uint8Array(request.bytes)
    send({ name, request: { ...request, bytes } }, [bytes.buffer])
  } else send({ name, request }, [])
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
