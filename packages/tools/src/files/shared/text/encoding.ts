import { scanUtf8 } from "./utf8.js"

/** Encodings that are not Unicode; each is stateless and has ASCII below 0x80. */
export const legacyEncodings = [
  "latin1",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "koi8-r",
  "koi8-u",
  "gbk",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-jp",
  "euc-kr",
] as const

/** An encoding that is not Unicode. */
export type LegacyEncoding = (typeof legacyEncodings)[number]

/** How the characters of a text file are kept in bytes. UTF-16 is with or without a byte order mark. */
export type EncodingName = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | LegacyEncoding

/** What is known about the bytes of a text file. */
export interface DetectedEncoding {
  readonly encoding: EncodingName
  /** Length of the byte order mark; 0 when there is none. */
  readonly bomBytes: number
  /** True when the bytes do not prove the encoding. */
  readonly guessed: boolean
}

/** The most bytes that a character takes in any of these encodings. */
export const longestCharacterBytes = 4

/** Whether the encoding is one that iconv-lite must convert. */
export function isLegacy(encoding: EncodingName): encoding is LegacyEncoding {
  return !encoding.startsWith("utf-")
}

/** Share of NUL bytes above which bytes that are not UTF-16 count as binary. */
const binaryNulShare = 0.1

/**
 * Finds the encoding: the byte order mark, then strict UTF-8, then a guess that says it is one.
 * `sampleBytes` says that only so many bytes from the beginning may be looked at.
 */
export async function detectEncoding(
  bytes: Uint8Array,
  options: { readonly sampleBytes?: number } = {},
): Promise<DetectedEncoding | "binary"> {
  const sample = options.sampleBytes === undefined ? bytes : bytes.subarray(0, options.sampleBytes)
  const sampled = sample.length < bytes.length
  const marked = byteOrderMark(sample)
  if (marked !== undefined) return marked
  const scan = scanUtf8(sample)
  if (scan.nulCount > 0) {
    const wide = unmarkedUtf16(sample)
    if (wide !== undefined) return { encoding: wide, bomBytes: 0, guessed: true }
    if (scan.nulCount > Math.max(1, sample.length * binaryNulShare)) return "binary"
  }
  const stray = scan.strayCount - (sampled ? scan.cutTail : 0)
  if (stray === 0) return { encoding: "utf-8", bomBytes: 0, guessed: false }
  // Mostly well-formed: UTF-8 with a few foreign bytes, which stay as they are.
  if (scan.wideCount >= 2 * stray) return { encoding: "utf-8", bomBytes: 0, guessed: true }
  if (scan.nulCount > 0 || controlShare(sample) > 0.02) return "binary"
  const { guessLegacyEncoding } = await import("./guess-legacy-encoding.js")
  return { encoding: await guessLegacyEncoding(sample, scan.firstHigh), bomBytes: 0, guessed: true }
}

function byteOrderMark(bytes: Uint8Array): DetectedEncoding | "binary" | undefined {
  const [first, second, third, fourth] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8-bom", bomBytes: 3, guessed: false }
  // UTF-32 is not text that these tools can keep; its mark begins like that of UTF-16.
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return "binary"
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", bomBytes: 2, guessed: false }
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", bomBytes: 2, guessed: false }
  return undefined
}

/** UTF-16 of mostly Latin text has its NULs on one side of the pairs, and few pairs that look like two letters. */
function unmarkedUtf16(bytes: Uint8Array): EncodingName | undefined {
  const pairs = Math.min(bytes.length >> 1, 32_768)
  if (pairs < 2) return undefined
  let evenNuls = 0
  let oddNuls = 0
  let letterPairs = 0
  for (let pair = 0; pair < pairs; pair += 1) {
    const [even, odd] = [bytes[2 * pair]!, bytes[2 * pair + 1]!]
    if (even === 0) evenNuls += 1
    if (odd === 0) oddNuls += 1
    if (even !== 0 && odd !== 0 && (even | odd) < 0x80) letterPairs += 1
  }
  if (letterPairs >= Math.max(evenNuls, oddNuls)) return undefined
  if (oddNuls > pairs * 0.3 && evenNuls < oddNuls * 0.1) return isUtf16(bytes, pairs, 1) ? "utf-16le" : undefined
  if (evenNuls > pairs * 0.3 && oddNuls < evenNuls * 0.1) return isUtf16(bytes, pairs, 0) ? "utf-16be" : undefined
  return undefined
}

/** Little-endian integers have NULs on one side too: text has hardly any control characters. */
function isUtf16(bytes: Uint8Array, pairs: number, highSide: 0 | 1): boolean {
  let controls = 0
  for (let pair = 0; pair < pairs; pair += 1) {
    const low = bytes[2 * pair + 1 - highSide]!
    if (bytes[2 * pair + highSide] === 0 && isControl(low)) controls += 1
  }
  return controls <= pairs * 0.02
}

function controlShare(bytes: Uint8Array): number {
  const length = Math.min(bytes.length, 65_536)
  let controls = 0
  for (let at = 0; at < length; at += 1) if (isControl(bytes[at]!)) controls += 1
  return length === 0 ? 0 : controls / length
}

/** Control characters that text does not use: all but backspace, tab, line feed, vertical tab, form feed, return, escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b
}
