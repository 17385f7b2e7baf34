import { type LineWindow, type NewlineUnit, ToolError } from "@haft/contract"
import {
  countLineFeeds,
  type DetectedEncoding,
  decodeWindow,
  type EncodingName,
  plainUtf8,
} from "../shared/text/index.js"
import { boundaryBefore } from "./boundary.js"
import { fittingPage, type Page, type PageRequest, pieceEncoding } from "./page.js"
import type { TextSource } from "./text-source.js"

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

const lineFeed = 0x0a
