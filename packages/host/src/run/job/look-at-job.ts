import type { Jobs, JobView } from "@haft/contract"
import { cancelled } from "../../wait.js"
import { wholeEnd, wholeStart } from "../process/whole-characters.js"
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

/** Bytes of a job's output from a cursor on. */
interface Cut {
  /** Text of the part that is shown. */
  readonly text: string
  /** Bytes of the part, also of lines that a filter left out: the cursor moves on by so many. */
  readonly length: number
}

interface CutOptions {
  readonly maxBytes: number
  /** Keeps lines that contain it. */
  readonly filter: string | undefined
  /** More may come: a character or, with a filter, a line that has not ended yet waits for the next look. */
  readonly running: boolean
}

/** The part to show now: whole characters, and with a filter whole lines. */
export function cutView(bytes: Buffer, { maxBytes, filter, running }: CutOptions): Cut {
  const full = bytes.length > maxBytes
  const limited = full ? bytes.subarray(0, maxBytes) : bytes
  const open = running || full
  if (filter === undefined || filter === "") {
    const length = open ? wholeEnd(limited) : limited.length
    return { text: limited.toString("utf8", wholeStart(limited), length), length }
  }
  const lastBreak = limited.lastIndexOf(10) + 1
  // A line that is longer than a whole view is shown in parts rather than never.
  const length = !open || (full && lastBreak === 0) ? limited.length : lastBreak
  const lines = limited.toString("utf8", wholeStart(limited), length).split("\n")
  const kept = lines.filter((line) => line.includes(filter))
  return { text: kept.map((line) => `${line}\n`).join(""), length }
}
