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
  /** Where these bytes of the stream, in rising order, end in the text that `finish` gives. */
  placesOf(bytes: readonly number[]): readonly number[]
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
      const { first, end, note } = ends()
      return { text: `${first.toString("utf8")}${note}${end.toString("utf8")}`, totalBytes, truncated: true }
    },
    placesOf(bytes) {
      if (totalBytes <= keepBytes) return placesIn(Buffer.concat([head.joined(), last.joined()]), bytes)
      const { first, end, note } = ends()
      const endStart = totalBytes - end.length
      const inFirst = placesIn(first, bytes)
      const inEnd = placesIn(
        end,
        bytes.map((byte) => Math.max(0, byte - endStart)),
      )
      const behindNote = first.toString("utf8").length + note.length
      return bytes.map((byte, index) => (byte <= first.length ? inFirst[index]! : behindNote + inEnd[index]!))
    },
  }

  /** The two ends of a stream that was cut, at whole characters, and what stands between them. */
  function ends(): { readonly first: Buffer; readonly end: Buffer; readonly note: string } {
    const [beginning, rest] = [head.joined(), last.joined()]
    const first = beginning.subarray(0, wholeEnd(beginning))
    const end = rest.subarray(wholeStart(rest))
    return { first, end, note: `\n[... ${totalBytes - first.length - end.length} bytes left out ...]\n` }
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
