/**
 * The text of bytes that are UTF-8 beyond doubt, as most are: well-formed, without NUL and without byte order mark.
 * Undefined for all others. One look of the platform instead of one to check and one to decode.
 */
export function plainUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.indexOf(0) !== -1 || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) return undefined
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** What one pass over bytes tells about them as UTF-8. */
export interface Utf8Scan {
  /** True when every byte is below 0x80. */
  readonly ascii: boolean
  readonly nulCount: number
  /** Well-formed characters of more than one byte. */
  readonly wideCount: number
  /** Bytes that belong to no well-formed character. */
  readonly strayCount: number
  /** Where the first byte above 0x7F is; -1 when there is none. */
  readonly firstHigh: number
  /** Bytes at the end that may be the beginning of a character; they count as stray too. */
  readonly cutTail: number
}

/** Checks bytes as UTF-8 without decoding them; sixteen bytes at a time where they are ASCII. */
export function scanUtf8(bytes: Uint8Array): Utf8Scan {
  const length = bytes.length
  const { start, words } = alignedWords(bytes, 0, length)
  let wideCount = 0
  let strayCount = 0
  let firstHigh = -1
  let cutTail = 0
  let at = 0
  while (at < length) {
    if (bytes[at]! < 0x80) {
      at = at >= start && ((at - start) & 3) === 0 ? skipAscii(words, start, at) : at + 1
      continue
    }
    if (firstHigh < 0) firstHigh = at
    const size = characterSize(bytes, at)
    if (size > 0) {
      wideCount += 1
      at += size
    } else {
      if (cutTail === 0 && length - at < 4 && mayContinue(bytes, at)) cutTail = length - at
      strayCount += 1
      at += 1
    }
  }
  return { ascii: firstHigh < 0, nulCount: countNuls(bytes), wideCount, strayCount, firstHigh, cutTail }
}

/** The place after the run of words that are all ASCII, or after this byte when the run is empty. */
function skipAscii(words: Int32Array, start: number, at: number): number {
  let word = (at - start) >> 2
  const first = word
  const highBits = 0x80808080
  while (word + 4 <= words.length) {
    if (((words[word]! | words[word + 1]! | words[word + 2]! | words[word + 3]!) & highBits) !== 0) break
    word += 4
  }
  while (word < words.length && (words[word]! & highBits) === 0) word += 1
  return word === first ? at + 1 : start + (word << 2)
}

function countNuls(bytes: Uint8Array): number {
  let count = 0
  // Most files have none, and the platform finds that out fastest.
  for (let at = bytes.indexOf(0); at !== -1 && at < bytes.length; at += 1) if (bytes[at] === 0) count += 1
  return count
}

/** Length of the well-formed UTF-8 character of two to four bytes at this place; 0 when there is none. */
export function characterSize(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < 0xc2 || lead > 0xf4) return 0
  const second = bytes[at + 1] ?? 0
  if (lead < 0xe0) return isTail(second) ? 2 : 0
  const third = bytes[at + 2] ?? 0
  if (lead < 0xf0) {
    if (!isTail(second) || !isTail(third)) return 0
    // Overlong forms and surrogates are not well-formed.
    if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0
    return 3
  }
  if (!isTail(second) || !isTail(third) || !isTail(bytes[at + 3] ?? 0)) return 0
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0
  return 4
}

function mayContinue(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at]!
  const size = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
  if (size <= bytes.length - at) return false
  for (let next = at + 1; next < bytes.length; next += 1) if (!isTail(bytes[next]!)) return false
  return true
}

function isTail(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

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

/** How many line feeds (byte 10) are in a range of bytes; four bytes at a time. */
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
