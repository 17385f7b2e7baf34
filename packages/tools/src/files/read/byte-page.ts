import { ToolError } from "@haft/contract"
import { countLineFeeds, decodeWindow, type EncodingName } from "../shared/text/index.js"
import { boundaryBefore, longestCharacterBytes } from "./boundary.js"
import type { TextSource } from "./line-page.js"
import { decodedFields, fittingPage, type Page, type PageRequest, pieceEncoding } from "./page.js"

/** Which bytes a page holds. */
export interface BytePageRequest extends PageRequest {
  readonly byteOffset: number
}

// How far back a place is looked for that is surely between two characters; even, so that UTF-16 stays aligned.
const lookBackBytes = 4096

/** Bytes from `byteOffset`, both ends moved down to a character; never empty before the end of the file. */
export async function bytePage(source: TextSource, request: BytePageRequest): Promise<Page> {
  if (request.byteOffset > source.size) throw beyondTheEnd(request, source.size)
  return fittingPage(request, (page) => makePage(source, page))
}

async function makePage(source: TextSource, request: BytePageRequest): Promise<Page> {
  const { byteOffset, maxBytes } = request
  const base = Math.max(0, byteOffset - lookBackBytes - (byteOffset % 2))
  const start = byteOffset - base
  const end = start + maxBytes
  const bytes = await source.read(base, end + longestCharacterBytes)
  // Fewer bytes than asked for: the file ends here, also when it was made shorter meanwhile.
  const atEnd = bytes.length < end + longestCharacterBytes || base + bytes.length >= source.size
  const ask = { bytes, start: Math.min(start, bytes.length), end, atEnd }
  const assumed = await characterSpan(ask, request.encoding.encoding)
  const encoding = source.whole
    ? request.encoding
    : await pieceEncoding(bytes.subarray(assumed.start, assumed.end), request.encoding)
  const span = encoding.encoding === request.encoding.encoding ? assumed : await characterSpan(ask, encoding.encoding)
  const piece = bytes.subarray(span.start, span.end)
  const eof = atEnd && span.end >= bytes.length
  const decoded = await decodedFields(piece, encoding)
  return {
    ...decoded,
    start_line: await startLine(source, base + span.start, encoding.encoding),
    line_count: lineCount(decoded.content),
    eof,
    ...(!eof && { next_byte_offset: base + span.end }),
  }
}

interface SpanRequest {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** True when the bytes reach the end of the file. */
  readonly atEnd: boolean
}

async function characterSpan({ bytes, start, end, atEnd }: SpanRequest, encoding: EncodingName) {
  const snap = (position: number) =>
    atEnd && position >= bytes.length ? bytes.length : boundaryBefore(bytes, position, encoding)
  const from = await snap(start)
  let to = await snap(end)
  // Fewer bytes than one character has were asked for: the whole character is the least that can be given.
  for (let wider = end + 1; to <= from && wider <= bytes.length; wider += 1) to = await snap(wider)
  return { start: from, end: to }
}

/** The number of the line at this place; 0 when only reading all bytes before it would tell. */
async function startLine({ whole, size }: TextSource, at: number, encoding: EncodingName): Promise<number> {
  if (at >= size) return 0
  if (at === 0) return 1
  if (whole === undefined) return 0
  // In UTF-16 the byte of a line feed is also a half of other characters.
  if (!encoding.startsWith("utf-16")) return countLineFeeds(whole, 0, at) + 1
  return (await decodeWindow(whole.subarray(0, at), encoding)).split("\n").length
}

function lineCount(content: string): number {
  let count = 0
  for (let at = content.indexOf("\n"); at !== -1; at = content.indexOf("\n", at + 1)) count += 1
  return content === "" || content.endsWith("\n") ? count : count + 1
}

function beyondTheEnd({ path, byteOffset }: BytePageRequest, size: number): ToolError {
  return new ToolError("invalid_args", `Cannot read "${path}" from byte ${byteOffset}: the file has ${size} bytes`, {
    hint: { say: "Begin earlier with {key:byte_offset}" },
    details: { size },
  })
}
