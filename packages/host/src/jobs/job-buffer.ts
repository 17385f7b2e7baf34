import { ChunkList } from "../process/chunk-list.js"

/** The output of a job: the newest part in memory, addressed by how many bytes came before. */
export interface JobBuffer {
  take(chunk: Buffer): void
  /** Bytes so far. */
  readonly end: number
  /** The first byte that is still held. */
  readonly start: number
  /** The held bytes from a place on. */
  from(place: number): Buffer
}

/** A buffer that holds at least so many of the newest bytes. */
export function createJobBuffer(keepBytes: number): JobBuffer {
  const chunks = new ChunkList()
  let end = 0
  return {
    take(chunk) {
      end += chunk.length
      chunks.add(chunk)
      chunks.keepLast(keepBytes)
    },
    get end() {
      return end
    },
    get start() {
      return end - chunks.bytes
    },
    from(place) {
      const bytes = chunks.joined()
      return bytes.subarray(Math.max(0, place - (end - bytes.length)))
    },
  }
}
