import {
  type Compute,
  type ComputeOptions,
  type ConvertedHtml,
  type ConvertHtmlOptions,
  type FitImageOptions,
  type FittedImage,
  ToolError,
} from "@haft/contract"
import { imageHeader } from "./image-header.js"
import type { Job } from "./job.js"
import { JobPool } from "./job-pool.js"

const defaultTimeoutMs = 20_000
// Arithmetic is done in milliseconds or never.
const calculateTimeoutMs = 5_000
// What the careful search for an article may take; a page on which it hangs is read without it.
const carefulTimeoutMs = 6_000

/** Makes the compute port: a few worker threads, started by the first jobs and ended when they have long had none. */
export function createCompute(): Compute & { close(): Promise<void> } {
  const pool = new JobPool()
  return {
    pdfText: (bytes, options) =>
      pool.run({ name: "pdfText", action: "read the PDF", request: { bytes }, ...bounds(options) }),
    fitImage: (bytes, options) => fitImage(pool, bytes, options),
    convertHtml: (html, options) => convertHtml(pool, html, options),
    selectHtml: (html, { row, fields, maxRows, ...options }) => {
      const request = { html, row, fields, maxRows }
      return pool.run({ name: "selectHtml", action: "read the page", request, ...bounds(options) })
    },
    calculate: (request, { signal, timeoutMs = calculateTimeoutMs }) => {
      const verb = request.operation === "evaluate" ? "calculate" : "differentiate"
      const action = `${verb} "${shortened(request.expression)}"`
      return pool.run({ name: "calculate", action, request, signal, timeoutMs })
    },
    analyzeBash: (text, place, options) =>
      pool.run({ name: "analyzeBash", action: "read the command", request: { text, place }, ...bounds(options) }),
    close: () => pool.close(),
  }
}

async function fitImage(pool: JobPool, bytes: Uint8Array, options: FitImageOptions): Promise<FittedImage> {
  const action = "read the image"
  const header = imageHeader(bytes)
  if (header === undefined) {
    throw new ToolError("unsupported", `Cannot ${action}: it is no PNG, JPEG, GIF or WebP`)
  }
  const { maxEdge, maxBytes } = options
  try {
    return await pool.run({ name: "fitImage", action, request: { bytes, maxEdge, maxBytes }, ...bounds(options) })
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "not_configured") throw error
    // Without sharp an image can be passed on, but not made smaller.
    if (Math.max(header.width, header.height) <= maxEdge && bytes.length <= maxBytes) {
      return { ...header, bytes, resized: false }
    }
    const fix = "Install it with: npm install sharp"
    throw new ToolError("not_configured", `Cannot make the image smaller: ${error.message}`, { fix, cause: error })
  }
}

async function convertHtml(pool: JobPool, html: string, options: ConvertHtmlOptions): Promise<ConvertedHtml> {
  const { url, to, part, signal, timeoutMs = defaultTimeoutMs } = options
  const convert = (isCareful: boolean, limitMs: number) => {
    const request = { html, url, to, part, isCareful }
    return pool.run({ name: "convertHtml", action: "read the page", request, signal, timeoutMs: limitMs })
  }
  if (part === "all") return convert(false, timeoutMs)
  const carefulMs = Math.min(carefulTimeoutMs, timeoutMs / 2)
  return convert(true, carefulMs).catch((error: unknown) => {
    if (!ToolError.is(error) || !["timeout", "backend"].includes(error.code) || signal.aborted) throw error
    return convert(false, timeoutMs - carefulMs)
  })
}

function bounds({ signal, timeoutMs = defaultTimeoutMs }: ComputeOptions): Pick<Job, "signal" | "timeoutMs"> {
  return { signal, timeoutMs }
}

function shortened(expression: string): string {
  return expression.length > 80 ? `${expression.slice(0, 79)}…` : expression
}
