import { bestEffort, type LineRequest, type LineWindow } from "@haft/contract"
import type { LineIndex } from "./line-index.js"
import { countNewlines, endsWithNewline, newlineBytes, skipLines } from "./newlines.js"
import { cutWindow, pastEnd } from "./window.js"

/** A file that is too large to be in memory. */
export interface LineSource {
  readonly size: number
  /** Fills the buffer from `offset` on; gives the number of bytes, fewer only at the end. Throws when aborted. */
  fill(buffer: Buffer, offset: number): Promise<number>
}

/** Bytes read at a time while looking for a line: large enough to hide the way to the thread pool and back. */
const seekBytes = 1024 * 1024
/** Bytes read at a time while collecting lines. */
const collectBytes = 256 * 1024

/** Lines of a large file by number; what is learnt on the way goes into the index. */
export async function readLines(source: LineSource, request: LineRequest, index: LineIndex): Promise<LineWindow> {
  const start = await seek(source, request.startLine, index)
  if ("totalLines" in start) return pastEnd(source.size, start.totalLines)
  return collect(source, request, start.offset)
}

type Start = { readonly offset: number } | { readonly totalLines: number }

/** Looks for the beginning of a line. */
async function seek(source: LineSource, line: number, index: LineIndex): Promise<Start> {
  if (line === 0) return { offset: 0 }
  return (await seekBetweenMarks(source, line, index)) ?? seekOnwards(source, line, index)
}

/** A line between two known marks is in the one piece between them; undefined when it is not there any more. */
async function seekBetweenMarks(source: LineSource, line: number, index: LineIndex): Promise<Start | undefined> {
  const { unit, stride } = index
  const { offset, newlines } = index.before(line)
  if (offset >= index.last().offset) return undefined
  const piece = await readPiece(source, offset, Buffer.allocUnsafeSlow(stride))
  const { position, passed } = skipLines(piece, line - newlines, { from: 0, unit })
  return passed === line - newlines ? { offset: offset + position } : undefined
}

/** Counts on from the last mark: the next piece is read while this one is looked through. */
async function seekOnwards(source: LineSource, line: number, index: LineIndex): Promise<Start> {
  const { unit, stride } = index
  let { offset, newlines } = index.before(line)
  const pieceBytes = Math.max(stride, seekBytes)
  let spare = Buffer.allocUnsafeSlow(pieceBytes)
  let piece = await readPiece(source, offset, Buffer.allocUnsafeSlow(pieceBytes))
  let endsInLine = false
  while (piece.length > 0) {
    const following = readAhead(source, offset + piece.length, spare)
    for (let from = 0; from < piece.length; from += stride) {
      const part = piece.subarray(from, from + stride)
      const count = countNewlines(part, unit)
      // Learnt before the line is found in the part: the next look at this page is then one between two marks.
      if (part.length === stride) index.learn({ offset: offset + from + stride, newlines: newlines + count })
      if (newlines + count >= line) {
        return { offset: offset + from + skipLines(part, line - newlines, { from: 0, unit }).position }
      }
      newlines += count
    }
    endsInLine = !endsWithNewline(piece, unit)
    offset += piece.length
    spare = Buffer.from(piece.buffer as ArrayBuffer)
    piece = await following
  }
  return { totalLines: newlines + (endsInLine ? 1 : 0) }
}

/** Reads from the beginning of the first line until enough lines or bytes are there. */
async function collect(source: LineSource, request: LineRequest, byteOffset: number): Promise<LineWindow> {
  const pieces: Buffer[] = []
  let length = 0
  let newlines = 0
  let toEnd = false
  // One unit more than fits tells a line that just fits from one that is cut.
  const enough = request.maxBytes + newlineBytes(request.unit)
  while (!toEnd && newlines < request.maxLines && length < enough) {
    const wanted = Math.min(collectBytes, enough - length)
    const piece = await readPiece(source, byteOffset + length, Buffer.allocUnsafeSlow(wanted))
    pieces.push(piece)
    length += piece.length
    toEnd = piece.length < wanted || byteOffset + length >= source.size
    if (!toEnd && length < enough) newlines += countNewlines(piece, request.unit)
  }
  return cutWindow({ bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), byteOffset, toEnd }, request)
}

async function readPiece(source: LineSource, offset: number, buffer: Buffer): Promise<Buffer> {
  return buffer.subarray(0, await source.fill(buffer, offset))
}

function readAhead(source: LineSource, offset: number, buffer: Buffer): Promise<Buffer> {
  const piece = readPiece(source, offset, buffer)
  void bestEffort("a failure is seen when the piece is awaited; until then it must not count as unhandled", piece)
  return piece
}
