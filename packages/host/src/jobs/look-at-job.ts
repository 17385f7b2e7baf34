import type { Jobs, JobView } from "@haft/contract"
import { cancelled } from "../process/cancelled.js"
import { cutView } from "./cut-view.js"
import type { Job } from "./job.js"

// What one look shows at most; the next one goes on behind it.
const viewBytes = 256 * 1024

/** Waits for something new and shows it; without a place the look goes on where the last one ended. */
export async function lookAtJob(job: Job, options: Parameters<Jobs["output"]>[1]): Promise<JobView> {
  const { waitMs = 0, filter, signal } = options
  const untilMs = performance.now() + waitMs
  const wasReady = job.isReady
  let place = options.from ?? job.cursor
  let lostBytes = 0
  for (;;) {
    const held = await bytesFrom(job, place, options.from !== undefined)
    lostBytes += held.place - place
    place = held.place
    const running = job.state === "running" || held.more
    const cut = cutView(held.bytes, { maxBytes: viewBytes, filter, running })
    const next = place + cut.length
    const leftMs = untilMs - performance.now()
    if (cut.text !== "" || job.state !== "running" || job.isReady !== wasReady || leftMs <= 0) {
      // Lines that the filter left out are not looked at again.
      if (cut.text === "" && cut.length > 0 && next < job.buffer.end) {
        place = next
        continue
      }
      job.cursor = next
      return job.view(cut.text, next, lostBytes)
    }
    place = next
    await job.change(leftMs, signal)
    if (signal.aborted) throw cancelled(signal)
  }
}

interface Held {
  readonly bytes: Buffer
  /** Where they begin; later than asked for when something is lost. */
  readonly place: number
  /** More follows behind them. */
  readonly more: boolean
}

async function bytesFrom(job: Job, asked: number, exact: boolean): Promise<Held> {
  const place = Math.min(Math.max(0, asked), job.buffer.end)
  if (exact && place < job.buffer.start) {
    const bytes = await job.sidecar.readBack(place, viewBytes)
    if (bytes.length > 0) return { bytes, place, more: true }
  }
  const from = Math.max(place, job.buffer.start)
  return { bytes: job.buffer.from(from), place: from, more: false }
}
