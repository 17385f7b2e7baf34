import type { JobRequest } from "@haft/contract"
import { portAnswers } from "./port-answers.js"

/** Finds out when a job is ready. */
export interface ReadyWatch {
  /** Undefined when the job has no sign of readiness. */
  readonly ready: boolean | undefined
  /** Takes output, which may hold the awaited text. */
  take(chunk: Buffer): void
  stop(): void
}

/** What to wait for and whom to tell. */
export interface ReadyOptions {
  readonly when: JobRequest["readyWhen"]
  readonly processes: () => Promise<readonly number[]>
  readonly onReady: () => void
}

const firstLookMs = 25
const slowestLookMs = 400

/** Watches for the text in the output and for the port; whichever comes first. */
export function watchReady({ when, processes, onReady }: ReadyOptions): ReadyWatch {
  const { text, port } = when ?? {}
  let ready = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let rest = Buffer.alloc(0)
  const settle = () => {
    clearTimeout(timer)
    if (ready || stopped) return
    ready = true
    onReady()
  }
  const lookAtPort = (wanted: number, pauseMs: number) => {
    timer = setTimeout(async () => {
      if (ready || stopped) return
      if (await portAnswers(wanted, await processes())) return settle()
      if (!stopped) lookAtPort(wanted, Math.min(pauseMs * 1.5, slowestLookMs))
    }, pauseMs)
    timer.unref()
  }
  if (port !== undefined) lookAtPort(port, firstLookMs)
  const wanted = text === undefined || text === "" ? undefined : Buffer.from(text)
  return {
    get ready() {
      return when === undefined ? undefined : ready
    },
    take(chunk) {
      if (!wanted || ready) return
      // The text may arrive in two pieces.
      const seen = Buffer.concat([rest, chunk])
      if (seen.includes(wanted)) return settle()
      rest = seen.subarray(Math.max(0, seen.length - wanted.length + 1))
    },
    stop() {
      clearTimeout(timer)
      stopped = true
    },
  }
}
