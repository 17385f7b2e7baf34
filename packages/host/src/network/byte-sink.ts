/** Bytes that come in pieces of any size; thousands of tiny pieces cost no more than their bytes. */
export interface ByteSink {
  /** False once more came than may be kept. */
  add(piece: Uint8Array): boolean
  /** What was kept. */
  bytes(): Uint8Array
}

/** Makes a sink that keeps the first `maxBytes` bytes. */
export function createByteSink(maxBytes: number): ByteSink {
  let held = new Uint8Array(0)
  let size = 0
  return {
    add(piece) {
      const kept = piece.subarray(0, maxBytes - size)
      if (size + kept.length > held.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max((size + kept.length) * 2, 16 * 1024)))
        larger.set(held.subarray(0, size))
        held = larger
      }
      held.set(kept, size)
      size += kept.length
      return kept.length === piece.length
    },
    bytes: () => held.slice(0, size),
  }
}
