import { type LineRequest, type LineWindow, type NewlineUnit, ToolError } from "@haft/contract"
import {
  countLineFeeds,
  type DetectedEncoding,
  decodeWindow,
  type EncodingName,
  plainUtf8,
} from "../shared/text/index.js"
import { boundaryBefore } from "./boundary.js"
import { fittingPage, type Page, type PageRequest, pieceEncoding } from "./page.js"

/** Which lines a page holds; the first line is 0. */
export interface LinePageRequest extends PageRequest {
  readonly offset: number
  readonly limit: number
}

/** Whole lines from `offset`; a line that is longer than a page is cut at a character. */
export function linePage(source: TextSource, request: LinePageRequest): Page | Promise<Page> {
  return wholePage(source, request) ?? fittingPage(request, (page) => makePage(source, page))
}

async function makePage(source: TextSource, request: LinePageRequest): Promise<Page> {
  const { offset, limit, maxBytes } = request
  const unit = newlineUnit(request.encoding.encoding)
  const window = await source.lines({ startLine: offset, maxLines: limit, maxBytes, unit })
  const { lineCount, eof, totalLines } = window
  if (lineCount === 0 && totalLines !== undefined && offset > totalLines) throw beyondTheEnd(request, totalLines)
  const assumed = await wholeCharacters(window, request.encoding.encoding)
  const text = isPlain(request.encoding) ? plainUtf8(assumed) : undefined
  const encoding =
    source.whole || text !== undefined ? request.encoding : await pieceEncoding(assumed, request.encoding)
  const piece = encoding === request.encoding ? assumed : await wholeCharacters(window, encoding.encoding)
  // Filled in rather than spread: pages are made for most calls of all, and each spread costs microseconds.
  const page: Writable<Page> = {
    content: text ?? (await decodeWindow(piece, encoding.encoding)),
    encoding: encoding.encoding,
    start_line: lineCount === 0 ? 0 : offset + 1,
    line_count: lineCount,
    eof,
  }
  if (encoding.guessed) page.encoding_guessed = true
  if (!eof && window.cut) page.next_byte_offset = window.byteOffset + piece.length
  else if (!eof) page.next_offset = offset + lineCount
  if (totalLines !== undefined) page.total_lines = totalLines
  return page
}

function isPlain({ encoding, guessed }: DetectedEncoding): boolean {
  return encoding === "utf-8" && !guessed
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

async function wholeCharacters({ bytes, cut }: LineWindow, encoding: EncodingName): Promise<Uint8Array> {
  return cut ? bytes.subarray(0, await boundaryBefore(bytes, bytes.length, encoding)) : bytes
}

function newlineUnit(encoding: EncodingName): NewlineUnit {
  if (encoding === "utf-16le") return "utf16le"
  return encoding === "utf-16be" ? "utf16be" : "byte"
}

function beyondTheEnd({ path, offset }: LinePageRequest, totalLines: number): ToolError {
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`
  return new ToolError("invalid_args", `Cannot read "${path}" from line ${offset + 1} on: the file has ${lines}`, {
    hint: totalLines === 0 ? "The file is empty" : { say: "Begin earlier with {key:offset}, which counts from 0" },
    details: { total_lines: totalLines },
  })
}

/** The page that most reads end in: the whole of a small text in UTF-8. Undefined when it is not wanted, or does not fit. */
export function wholePage({ whole, text }: TextSource, request: LinePageRequest): Page | undefined {
  if (whole === undefined || text === undefined || text === "") return undefined
  if (request.offset > 0 || whole.length > request.maxBytes) return undefined
  const endsOpen = whole[whole.length - 1] !== lineFeed
  const lineCount = countLineFeeds(whole, 0, whole.length) + (endsOpen ? 1 : 0)
  if (lineCount > request.limit) return undefined
  return { content: text, encoding: "utf-8", start_line: 1, line_count: lineCount, eof: true, total_lines: lineCount }
}

/** Text that is read in pages: an open file, or text that was made from one. */
export interface TextSource {
  readonly size: number
  /** All of it, where it is in memory. */
  readonly whole: Uint8Array | undefined
  /** All of it decoded, where it is plain UTF-8 in memory. */
  readonly text?: string
  lines(request: LineRequest): Promise<LineWindow>
  read(offset: number, length: number): Promise<Uint8Array>
}

/** The same pages over bytes in memory. */
export function memorySource(bytes: Uint8Array, text?: string): TextSource {
  return {
    size: bytes.length,
    whole: bytes,
    ...(text !== undefined && { text }),
    lines: async (request) => linesIn(bytes, request),
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** A window of whole lines; only a first line that alone passes `maxBytes` is cut. */
function linesIn(bytes: Uint8Array, { startLine, maxLines, maxBytes, unit }: LineRequest): LineWindow {
  let start = 0
  let line = 0
  for (; line < startLine && start < bytes.length; line += 1) start = lineEnd(bytes, start, unit)
  let end = start
  let lineCount = 0
  while (lineCount < maxLines && end < bytes.length) {
    const next = lineEnd(bytes, end, unit)
    if (next - start > maxBytes) break
    end = next
    lineCount += 1
  }
  const cut = lineCount === 0 && start < bytes.length
  if (cut) return { bytes: bytes.subarray(start, start + maxBytes), byteOffset: start, lineCount: 1, eof: false, cut }
  const eof = end === bytes.length
  const window = { bytes: bytes.subarray(start, end), byteOffset: start, lineCount, eof, cut }
  return eof ? { ...window, totalLines: line + lineCount } : window
}

const lineFeed = 0x0a

/** Where the line that begins at `from` ends, its line break included. */
function lineEnd(bytes: Uint8Array, from: number, unit: LineRequest["unit"]): number {
  if (unit === "byte") {
    // A plain loop: lines are short, and a native search costs more to call than a line to look through.
    let at = from
    while (at < bytes.length && bytes[at] !== lineFeed) at += 1
    return Math.min(at + 1, bytes.length)
  }
  const low = unit === "utf16le" ? 0 : 1
  for (let at = from; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === lineFeed && bytes[at + 1 - low] === 0) return at + 2
  }
  return bytes.length
}

/** An image format that models take. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp"

/** The media type that the first bytes of a file tell, for the kinds that `read` shows other than as text. */
export function sniffMedia(head: Uint8Array): ImageType | "application/pdf" | undefined {
  if (startsWith(head, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (startsWith(head, "\xff\xd8\xff")) return "image/jpeg"
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "image/gif"
  if (startsWith(head, "RIFF") && startsWith(head.subarray(8), "WEBP")) return "image/webp"
  return startsWith(head, "%PDF-") ? "application/pdf" : undefined
}

/** What a file that is no text probably is, in words; undefined when its first bytes tell nothing. */
export function sniffBinary(head: Uint8Array): string | undefined {
  return binaryKinds.find(([magic, at]) => startsWith(head.subarray(at), magic))?.[2]
}

const binaryKinds: readonly (readonly [magic: string, at: number, kind: string])[] = [
  ["PK\x03\x04", 0, "a ZIP archive or an office document"],
  ["\x1f\x8b", 0, "gzip data"],
  ["BZh", 0, "bzip2 data"],
  ["\xfd7zXZ\0", 0, "xz data"],
  ["\x28\xb5\x2f\xfd", 0, "zstd data"],
  ["7z\xbc\xaf\x27\x1c", 0, "a 7z archive"],
  ["ustar", 257, "a tar archive"],
  ["\x7fELF", 0, "an ELF program or library"],
  ["MZ", 0, "a Windows program or library"],
  ["\xcf\xfa\xed\xfe", 0, "a Mach-O program or library"],
  ["\xca\xfe\xba\xbe", 0, "a Java class or a Mach-O program"],
  ["\0asm", 0, "a WebAssembly module"],
  ["SQLite format 3\0", 0, "a SQLite database"],
  ["\xd0\xcf\x11\xe0", 0, "an old office document"],
  ["ftyp", 4, "an MP4, HEIC or AVIF file"],
  ["OggS", 0, "an Ogg file"],
  ["ID3", 0, "an MP3 file"],
  ["RIFF", 0, "a WAV or AVI file"],
  ["wOF2", 0, "a font"],
  ["wOFF", 0, "a font"],
  ["II*\0", 0, "a TIFF image"],
  ["MM\0*", 0, "a TIFF image"],
  ["BM", 0, "a BMP image"],
]

function startsWith(bytes: Uint8Array, magic: string): boolean {
  if (bytes.length < magic.length) return false
  for (let index = 0; index < magic.length; index += 1) {
    if (bytes[index] !== magic.charCodeAt(index)) return false
  }
  return true
}
