import { type CapturedStream, type StreamOrder, streamOrder, streamRuns } from "@haft/contract"

/** Both streams of a program. */
export interface Streams<Stream> {
  readonly stdout: Stream
  readonly stderr: Stream
}

// Room for the words that stand where bytes are left out.
const noteBytes = 64

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** What the port kept of an output. */
export interface KeptOutput extends Streams<CapturedStream> {
  readonly order?: StreamOrder
  /** A file with all of it, when it did not fit. */
  readonly outputPath?: string
}

/** The texts of both streams, and the order in which they were read. */
export interface FittedOutput extends Streams<string> {
  readonly order?: number[]
}

/**
 * The texts of both streams as head and tail within the limit of both together, with the true number of bytes that were
 * left out. Streams that were not cut and have no file stay whole: the runtime cuts those and keeps the rest.
 */
export function fitStreams({ stdout, stderr, order, outputPath }: KeptOutput, maxBytes: number): FittedOutput {
  const whole = { stdout: stdout.text, stderr: stderr.text, ...(order && { order: [...order] }) }
  if (!stdout.truncated && !stderr.truncated && outputPath === undefined) return whole
  const [out, error] = [encoder.encode(stdout.text), encoder.encode(stderr.text)]
  if (out.length + error.length <= maxBytes) return whole
  const half = Math.floor(maxBytes / 2)
  // A short stream stays whole; what it leaves goes to the long one.
  const fitted = {
    stdout: fit(stdout, out, Math.max(half, maxBytes - error.length)),
    stderr: fit(stderr, error, Math.max(maxBytes - half, maxBytes - out.length)),
  }
  const cut = order && orderOf(order, fitted)
  return { stdout: fitted.stdout.text, stderr: fitted.stderr.text, ...(cut && { order: [...cut] }) }
}

interface Fitted {
  readonly text: string
  /** Where a place of the text before the cut stands now. */
  placeOf(place: number): number
}

function fit({ text, totalBytes, truncated }: CapturedStream, bytes: Uint8Array, maxBytes: number): Fitted {
  if (bytes.length <= maxBytes) return { text, placeOf: (place) => place }
  const part = Math.max(0, Math.floor((maxBytes - noteBytes) / 2))
  const headEnd = characterStart(bytes, part)
  const tailStart = nextCharacterStart(bytes, bytes.length - part)
  const kept = headEnd + (bytes.length - tailStart)
  const left = Math.max(0, (truncated ? totalBytes : bytes.length) - kept)
  const head = decoder.decode(bytes.subarray(0, headEnd))
  const tail = decoder.decode(bytes.subarray(tailStart))
  const fitted = `${head}\n[... ${left} bytes left out ...]\n${tail}`
  return {
    text: fitted,
    placeOf(place) {
      if (place <= head.length) return place
      return Math.max(fitted.length - tail.length, fitted.length - (text.length - place))
    },
  }
}

function orderOf(order: StreamOrder, fitted: Streams<Fitted>): StreamOrder | undefined {
  const before = { stdout: 0, stderr: 0 }
  const runs = streamRuns(order).map(({ stream, length }) => {
    const start = fitted[stream].placeOf(before[stream])
    before[stream] += length
    return { stream, length: fitted[stream].placeOf(before[stream]) - start }
  })
  return streamOrder(runs)
}

function characterStart(bytes: Uint8Array, place: number): number {
  let start = place
  while (start > 0 && isContinuation(bytes[start])) start -= 1
  return start
}

function nextCharacterStart(bytes: Uint8Array, place: number): number {
  let start = place
  while (start < bytes.length && isContinuation(bytes[start])) start += 1
  return start
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
