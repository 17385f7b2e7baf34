import { type Compute, type ComputeOptions, type FitImageOptions, type FittedImage, ToolError } from "@haft/contract"
import { imageHeader } from "./image-header.js"
import { type Job, type JobWorker, startJobWorker } from "./start-job-worker.js"

/** Makes the compute port: one worker thread, started by the first job and ended when it has long had none. */
export function createCompute(): Compute & { close(): Promise<void> } {
  let worker: JobWorker | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idleTimer: NodeJS.Timeout | undefined

  async function pdfText(bytes: Uint8Array, options: ComputeOptions): Promise<readonly string[]> {
    const pages = await run({ name: "pdfText", action: "read the PDF", request: { bytes }, ...bounds(options) })
    return pages as readonly string[]
  }

  async function fitImage(bytes: Uint8Array, options: FitImageOptions): Promise<FittedImage> {
    const action = "read the image"
    const header = imageHeader(bytes)
    if (header === undefined) {
      throw new ToolError("unsupported", `Cannot ${action}: it is no PNG, JPEG, GIF or WebP`)
    }
    const { maxEdge, maxBytes } = options
    try {
      const request = { bytes, maxEdge, maxBytes }
      return (await run({ name: "fitImage", action, request, ...bounds(options) })) as FittedImage
    } catch (error) {
      if (!ToolError.is(error) || error.code !== "not_configured") throw error
      // Without sharp an image can be passed on, but not made smaller.
      if (Math.max(header.width, header.height) <= maxEdge && bytes.length <= maxBytes) {
        return { ...header, bytes, resized: false }
      }
      const hint = "Install it with: npm install sharp"
      throw new ToolError("not_configured", `Cannot make the image smaller: ${error.message}`, { hint, cause: error })
    }
  }

  /** One job after the other: a job that must be stopped takes the thread with it, and no other job's work. */
  async function run(job: Job): Promise<unknown> {
    clearTimeout(idleTimer)
    waiting += 1
    const result = untilAborted(queue, job).then(() => {
      if (!worker?.alive) worker = startJobWorker()
      return worker.run(job)
    })
    queue = Promise.allSettled([queue, result]).then(rest)
    return result
  }

  function rest(): void {
    waiting -= 1
    if (waiting === 0) idleTimer = setTimeout(() => void endWorker(), idleMs).unref()
  }

  async function endWorker(): Promise<void> {
    clearTimeout(idleTimer)
    const ending = worker
    worker = undefined
    await ending?.end()
  }

  return { pdfText, fitImage, close: endWorker }
}

// A person who reads one image often reads the next soon after.
const idleMs = 10_000
const defaultTimeoutMs = 20_000

function bounds({ signal, timeoutMs = defaultTimeoutMs }: ComputeOptions): Pick<Job, "signal" | "timeoutMs"> {
  return { signal, timeoutMs }
}

/** Waits for the job's turn, or throws as soon as nobody waits for the job any more. */
async function untilAborted(turn: Promise<unknown>, { signal, action }: Job): Promise<void> {
  const cancelled = () => new ToolError("cancelled", `Cannot ${action}: the call was cancelled`)
  if (signal.aborted) throw cancelled()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(cancelled())
    signal.addEventListener("abort", onAbort, { once: true })
  })
  try {
    await Promise.race([turn, aborted])
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}
