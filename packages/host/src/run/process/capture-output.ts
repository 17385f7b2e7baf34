import { type CapturedStream, type StreamOrder, type StreamRun, streamOrder } from "@haft/contract"
import { captureStream, type StreamCapture } from "./capture-stream.js"
import type { OutputSidecar } from "./output-sidecar.js"

/** What is kept of an output. */
export interface CapturedOutput {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  readonly order?: StreamOrder
}

/** Takes both streams of a program as they are read: keeps the two ends of each, and the order in which they came. */
export class OutputCapture {
  readonly stdout: StreamCapture
  readonly stderr: StreamCapture
  private readonly keepBytes: number
  private readonly sidecar: OutputSidecar | undefined
  private readonly runs = new RunList()

  constructor(keepBytes: number, sidecar?: OutputSidecar) {
    this.keepBytes = keepBytes
    this.sidecar = sidecar
    this.stdout = captureStream(keepBytes)
    this.stderr = captureStream(keepBytes)
  }

  /** Takes a piece; false asks to pause until the sidecar has room. */
  take(stream: "stdout" | "stderr", chunk: Buffer): boolean {
    this[stream].take(chunk)
    this.runs.add(stream, chunk.length)
    const hasRoom = this.sidecar?.take(chunk) ?? true
    if (this.stdout.totalBytes + this.stderr.totalBytes > this.keepBytes) this.sidecar?.open()
    return hasRoom
  }

  finish(): CapturedOutput {
    const order = this.order()
    return { stdout: this.stdout.finish(), stderr: this.stderr.finish(), ...(order && { order }) }
  }

  private order(): StreamOrder | undefined {
    const runs = this.runs.list()
    if (streamOrder(runs) === undefined) return undefined
    const lengths = { stdout: lengthsOf("stdout", runs, this.stdout), stderr: lengthsOf("stderr", runs, this.stderr) }
    return streamOrder(runs.map(({ stream }) => ({ stream, length: lengths[stream].shift()! })))
  }
}

/** How many characters of the kept text each run of this stream has. */
function lengthsOf(stream: "stdout" | "stderr", runs: readonly StreamRun[], capture: StreamCapture): number[] {
  let sum = 0
  const ends = runs.flatMap((run) => {
    if (run.stream !== stream) return []
    sum += run.length
    return [sum]
  })
  const places = capture.placesOf(ends)
  return places.map((place, index) => place - (places[index - 1] ?? 0))
}

// More changes than a reader follows; between the first and the last of them each stream is one run.
const maxRuns = 500

/** The runs in which two streams came, in bounded memory. */
class RunList {
  private readonly first: Run[] = []
  private readonly last: Run[] = []
  private readonly between = { stdout: 0, stderr: 0 }

  add(stream: Run["stream"], length: number): void {
    const current = this.last.at(-1) ?? this.first.at(-1)
    if (current?.stream === stream) {
      current.length += length
      return
    }
    const list = this.first.length < maxRuns ? this.first : this.last
    list.push({ stream, length })
    if (this.last.length < 2 * maxRuns) return
    for (const run of this.last.splice(0, maxRuns)) this.between[run.stream] += run.length
  }

  list(): readonly StreamRun[] {
    const { stdout, stderr } = this.between
    const between = [
      { stream: "stdout", length: stdout },
      { stream: "stderr", length: stderr },
    ] as const
    return [...this.first, ...between, ...this.last]
  }
}

interface Run {
  readonly stream: "stdout" | "stderr"
  length: number
}
