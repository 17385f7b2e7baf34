import type { CapturedStream } from "@haft/contract"

/** Both streams of a program. */
export interface Streams<Stream> {
  readonly stdout: Stream
  readonly stderr: Stream
}

// Room for the words that stand where bytes are left out.
const noteBytes = 64

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * The texts of streams that the port had to cut, as head and tail within the limit of both together, with the true
 * number of bytes that were left out. Streams that were not cut stay whole: the runtime cuts those and keeps the rest.
 */
export function fitStreams({ stdout, stderr }: Streams<CapturedStream>, maxBytes: number): Streams<string> {
  if (!stdout.truncated && !stderr.truncated) return { stdout: stdout.text, stderr: stderr.text }
  const [out, error] = [encoder.encode(stdout.text), encoder.encode(stderr.text)]
  if (out.length + error.length <= maxBytes) return { stdout: stdout.text, stderr: stderr.text }
  const half = Math.floor(maxBytes / 2)
  // A short stream stays whole; what it leaves goes to the long one.
  const outShare = Math.max(half, maxBytes - error.length)
  const errorShare = Math.max(maxBytes - half, maxBytes - out.length)
  return { stdout: fit(stdout, out, outShare), stderr: fit(stderr, error, errorShare) }
}

function fit({ text, totalBytes, truncated }: CapturedStream, bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length <= maxBytes) return text
  const part = Math.max(0, Math.floor((maxBytes - noteBytes) / 2))
  const headEnd = characterStart(bytes, part)
  const tailStart = nextCharacterStart(bytes, bytes.length - part)
  const kept = headEnd + (bytes.length - tailStart)
  const left = Math.max(0, (truncated ? totalBytes : bytes.length) - kept)
  const head = decoder.decode(bytes.subarray(0, headEnd))
  return `${head}\n[... ${left} bytes left out ...]\n${decoder.decode(bytes.subarray(tailStart))}`
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
