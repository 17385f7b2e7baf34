import { ToolError } from "@haft/contract"

/** Takes a stream apart into pieces of a wanted size. */
export interface ByteReader {
  /** So many bytes, or fewer at the end of the stream. */
  take(count: number): Promise<Buffer>
  /** Hands so many bytes on, without holding them together. A stream that ends before is an error. */
  pass(count: number, to: (piece: Buffer) => Promise<void> | void): Promise<void>
}

/** Reads from a stream of any pieces. */
export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const next = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const { done, value } = await pieces.next()
      if (done) return false
      rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    return true
  }
  const some = (most: number): Buffer => {
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }
  return {
    async take(count) {
      const taken: Buffer[] = []
      for (let left = count; left > 0 && (await next()); ) {
        const piece = some(left)
        taken.push(piece)
        left -= piece.length
      }
      return Buffer.concat(taken)
    },
    async pass(count, to) {
      for (let left = count; left > 0; ) {
        if (!(await next())) throw new ToolError("invalid_args", "Cannot read the archive: it ends too early")
        const piece = some(left)
        left -= piece.length
        await to(piece)
      }
    },
  }
}
