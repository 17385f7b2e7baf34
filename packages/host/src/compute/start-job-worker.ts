import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { ToolError } from "@haft/contract"
import { workerSource } from "./worker-source.js"

/** One piece of work for the worker. */
export interface Job {
  readonly name: "pdfText" | "fitImage"
  /** What is done, for messages: "read the PDF". */
  readonly action: string
  readonly request: { readonly bytes: Uint8Array; readonly [key: string]: unknown }
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** A worker that does one job at a time. */
export interface JobWorker {
  /** False once it failed or was ended; a new one is needed then. */
  readonly alive: boolean
  run(job: Job): Promise<unknown>
  end(): Promise<void>
}

type Answer = { readonly value: unknown } | { readonly failure: { readonly code: "backend"; readonly reason: string } }

/** Starts a worker thread. It does not keep the process alive while it has nothing to do. */
export function startJobWorker(): JobWorker {
  const worker = new Worker(workerSource, {
    eval: true,
    workerData: { addresses: addresses(), limits },
    // The thread gets nothing of this process but the packages named above.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
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
    run: (job) => runJob(worker, job).catch((error: unknown) => rethrow(error, end)),
    end,
  }
}

/** Rejects with a ToolError for what the job itself refuses, with a Breakdown when the worker is of no more use. */
function runJob(worker: Worker, { action, name, request, signal, timeoutMs }: Job): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const startRss = process.memoryUsage.rss()
    const timer = setTimeout(
      () => breakDown("timeout", `it took longer than ${timeoutMs / 1000} s; use a smaller file`),
      timeoutMs,
    )
    // Limits of the thread do not count memory outside its heap, which is where decompressed data lies.
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - startRss > limits.memoryBytes) breakDown("too_large", memoryReason)
    }, 50)
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
    const bytes = new Uint8Array(request.bytes)
    worker.postMessage({ job: name, request: { ...request, bytes } }, [bytes.buffer])

    function breakDown(code: ToolError["code"], reason: string): void {
      settle()
      reject(new Breakdown(new ToolError(code, `Cannot ${action}: ${reason}`)))
    }
    function settle(): void {
      clearTimeout(timer)
      clearInterval(watch)
      worker.off("message", onMessage).off("error", onError).off("exit", onExit)
      signal.removeEventListener("abort", onAbort)
      worker.unref()
    }
  })
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

const limits = {
  pages: 20_000,
  textLength: 32 * 1024 * 1024,
  // 100 megapixels: more than any camera or screen gives, and some 400 MB when decoded.
  pixels: 100_000_000,
  memoryBytes: 512 * 1024 * 1024,
} as const

const memoryReason = "it needs more memory than is allowed; use a smaller file"

function addresses(): { readonly pdf: string | undefined; readonly image: string | undefined } {
  const { resolve } = createRequire(import.meta.url)
  const addressOf = (name: string) => {
    try {
      return pathToFileURL(resolve(name)).href
    } catch {
      return undefined
    }
  }
  return { pdf: addressOf("unpdf"), image: addressOf("sharp") }
}
