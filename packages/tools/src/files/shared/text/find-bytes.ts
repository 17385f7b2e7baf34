/** Where `wanted`, which is not empty, first occurs at or after `from`; -1 when it does not. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  // Node's file bytes are Buffers, whose indexOf takes a sequence and is native; that of a plain array takes one byte.
  if (hasSequenceSearch(bytes)) return bytes.indexOf(wanted, from)
  return horspool(bytes, wanted, from)
}

interface SequenceSearch {
  indexOf(wanted: Uint8Array, from?: number): number
}

function hasSequenceSearch(bytes: object): bytes is SequenceSearch {
  return "readUInt8" in bytes
}

/** Boyer, Moore and Horspool: skips by the byte under the end of the window. */
function horspool(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const last = wanted.length - 1
  const skip = new Uint32Array(256).fill(wanted.length)
  for (let index = 0; index < last; index += 1) skip[wanted[index]!] = last - index
  let at = from
  while (at + last < bytes.length) {
    let index = last
    while (index >= 0 && bytes[at + index] === wanted[index]) index -= 1
    if (index < 0) return at
    at += skip[bytes[at + last]!]!
  }
  return -1
}
