import { alignedWords } from "./aligned-words.js"

/** How many line feeds (byte 10) stand in a range of bytes; four bytes at a time. */
export function countLineFeeds(bytes: Uint8Array, from: number, to: number): number {
  const { start, words } = alignedWords(bytes, from, to)
  let count = 0
  for (let at = from; at < start; at += 1) if (bytes[at] === 10) count += 1
  for (let word = 0; word < words.length; word += 1) {
    const four = words[word]! ^ 0x0a0a0a0a
    // The high bit of each byte that was a line feed, and of no other.
    const hits = ~(((four & 0x7f7f7f7f) + 0x7f7f7f7f) | four | 0x7f7f7f7f)
    if (hits !== 0) count += Math.imul(hits >>> 7, 0x01010101) >>> 24
  }
  for (let at = start + words.length * 4; at < to; at += 1) if (bytes[at] === 10) count += 1
  return count
}
