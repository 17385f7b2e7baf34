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
