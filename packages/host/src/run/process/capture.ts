import { type CapturedStream, type StreamOrder, type StreamRun, streamOrder } from "@haft/contract"
import { wholeEnd, wholeStart } from "./whole-characters.js"

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
  private readonly sidecar: Overflow | undefined
  private readonly runs = new RunList()

  constructor(keepBytes: number, sidecar?: Overflow) {
    this.keepBytes = keepBytes
    this.sidecar = sidecar
    this.stdout = new StreamCapture(keepBytes)
    this.stderr = new StreamCapture(keepBytes)
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

/** Takes the whole output, and keeps it once it is opened. */
interface Overflow {
  /** False asks to pause. */
  take(chunk: Buffer): boolean
  open(): void
}

interface Run {
  readonly stream: "stdout" | "stderr"
  length: number
}

/** Takes a stream of any length and keeps at most so many bytes, half of them from the beginning. */
export class StreamCapture {
  totalBytes = 0
  private readonly head: ByteRing
  private readonly last: ByteRing

  constructor(private readonly keepBytes: number) {
    this.head = new ByteRing(Math.floor(keepBytes / 2))
    this.last = new ByteRing(Math.ceil(keepBytes / 2))
  }

  take(chunk: Buffer): void {
    this.totalBytes += chunk.length
    const room = this.head.capacity - this.head.bytes
    this.head.add(chunk.subarray(0, room))
    this.last.add(chunk.subarray(room))
  }

  get truncated(): boolean {
    return this.totalBytes > this.keepBytes
  }

  /** The last bytes as text, for messages. */
  tail(): string {
    return this.kept().subarray(-4096).toString("utf8")
  }

  finish(): CapturedStream {
    const { totalBytes, truncated } = this
    if (!truncated) return { text: this.kept().toString("utf8"), totalBytes, truncated }
    const { first, end, note } = this.ends()
    return { text: `${first.toString("utf8")}${note}${end.toString("utf8")}`, totalBytes, truncated }
  }

  /** Where these bytes of the stream, in rising order, end in the text that `finish` gives. */
  placesOf(bytes: readonly number[]): readonly number[] {
    if (!this.truncated) return placesIn(this.kept(), bytes)
    const { first, end, note } = this.ends()
    const endStart = this.totalBytes - end.length
    const inFirst = placesIn(first, bytes)
    const inEnd = placesIn(
      end,
      bytes.map((byte) => Math.max(0, byte - endStart)),
    )
    const behindNote = first.toString("utf8").length + note.length
    return bytes.map((byte, index) => (byte <= first.length ? inFirst[index]! : behindNote + inEnd[index]!))
  }

  private kept(): Buffer {
    return Buffer.concat([this.head.joined(), this.last.joined()])
  }

  /** The two ends of a stream that was cut, at whole characters, and the note between them. */
  private ends(): { readonly first: Buffer; readonly end: Buffer; readonly note: string } {
    const [beginning, rest] = [this.head.joined(), this.last.joined()]
    const first = beginning.subarray(0, wholeEnd(beginning))
    const end = rest.subarray(wholeStart(rest))
    return { first, end, note: `\n[... ${this.totalBytes - first.length - end.length} bytes left out ...]\n` }
  }
}

/** Where these bytes end in the text of all of them; a character that is not whole yet counts to the next place. */
function placesIn(whole: Buffer, bytes: readonly number[]): readonly number[] {
  let at = 0
  let characters = 0
  return bytes.map((byte) => {
    const to = byte >= whole.length ? whole.length : Math.max(at, wholeEnd(whole, byte))
    characters += whole.toString("utf8", at, to).length
    at = to
    return characters
  })
}

/**
 * The last bytes of a stream of any length, in a buffer of a fixed size. Bytes are copied: a piece that is held for a
 * while outlives the cheap collection of young objects, and for a long stream that costs several times the copy.
 */
export class ByteRing {
  private buffer: Buffer | undefined
  private end = 0
  /** How many bytes are in it. */
  bytes = 0

  constructor(readonly capacity: number) {}

  add(piece: Buffer): void {
    if (this.capacity === 0 || piece.length === 0) return
    this.buffer ??= Buffer.allocUnsafeSlow(this.capacity)
    const from = Math.max(0, piece.length - this.capacity)
    const room = this.capacity - this.end
    piece.copy(this.buffer, this.end, from, Math.min(piece.length, from + room))
    const rest = piece.length - from - room
    if (rest >= 0) piece.copy(this.buffer, 0, from + room)
    this.end = rest >= 0 ? rest : this.end + piece.length - from
    this.bytes = Math.min(this.capacity, this.bytes + piece.length)
  }

  /** All bytes in the order in which they came. */
  joined(): Buffer {
    if (!this.buffer) return Buffer.alloc(0)
    if (this.bytes < this.capacity) return this.buffer.subarray(0, this.bytes)
    return Buffer.concat([this.buffer.subarray(this.end), this.buffer.subarray(0, this.end)])
  }
}
