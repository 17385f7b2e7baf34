/** The whole four-byte words inside a range of bytes, and where the first of them begins. */
export interface AlignedWords {
  readonly start: number
  readonly words: Int32Array
}

/** A view of the same memory; no words when the range is too short for one. */
export function alignedWords(bytes: Uint8Array, from: number, to: number): AlignedWords {
  const start = from + ((4 - ((bytes.byteOffset + from) & 3)) & 3)
  if (start + 4 > to) return { start: to, words: new Int32Array(0) }
  return { start, words: new Int32Array(bytes.buffer, bytes.byteOffset + start, (to - start) >> 2) }
}
