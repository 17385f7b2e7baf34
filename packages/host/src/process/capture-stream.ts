import type { CapturedStream } from "@haft/contract"
import { ByteRing } from "./byte-ring.js"
import { ChunkList } from "./chunk-list.js"
import { wholeEnd, wholeStart } from "./whole-characters.js"

/** Takes a stream of any length and keeps its beginning and its end. */
export interface StreamCapture {
  take(chunk: Buffer): void
  readonly totalBytes: number
  readonly truncated: boolean
  /** The last bytes as text, for messages. */
  tail(): string
  finish(): CapturedStream
}

/** Keeps at most so many bytes, half of them from the beginning. */
export function captureStream(keepBytes: number): StreamCapture {
  const headKeep = Math.floor(keepBytes / 2)
  const tailKeep = keepBytes - headKeep
  const head = new ChunkList()
  const last = new ByteRing(tailKeep)
  let totalBytes = 0
  return {
    take(chunk) {
      totalBytes += chunk.length
      const room = Math.min(headKeep - head.bytes, chunk.length)
      if (room > 0) head.add(room === chunk.length ? chunk : chunk.subarray(0, room))
      if (room >= chunk.length) return
      last.add(room > 0 ? chunk.subarray(room) : chunk)
    },
    get totalBytes() {
      return totalBytes
    },
    get truncated() {
      return totalBytes > keepBytes
    },
    tail: () => Buffer.concat([head.joined(), last.joined()]).subarray(-4096).toString("utf8"),
    finish() {
      if (totalBytes <= keepBytes) {
        return { text: Buffer.concat([head.joined(), last.joined()]).toString("utf8"), totalBytes, truncated: false }
      }
      const first = head.joined()
      const end = last.joined()
      const from = wholeStart(end)
      const to = wholeEnd(first)
      const left = totalBytes - to - (end.length - from)
      const note = `\n[... ${left} bytes left out ...]\n`
      const text = `${first.toString("utf8", 0, to)}${note}${end.toString("utf8", from)}`
      return { text, totalBytes, truncated: true }
    },
  }
}
