import type { LineRequest, LineWindow } from "@haft/contract"
import { newlineBytes, skipLines } from "./newlines.js"

/** What is known about the bytes that a window is cut from. */
export interface WindowSource {
  /** Bytes from the beginning of the first wanted line on. */
  readonly bytes: Buffer
  readonly byteOffset: number
  /** True when nothing follows the bytes in the file. */
  readonly toEnd: boolean
}

/** Cuts the wanted lines: whole lines where they fit, the first one cut when it alone is too long. */
export function cutWindow(source: WindowSource, request: LineRequest): LineWindow {
  const { bytes, byteOffset, toEnd } = source
  const { startLine, unit } = request
  const room = request.maxBytes - (request.maxBytes % newlineBytes(unit))
  const fitting = bytes.length > room ? bytes.subarray(0, room) : bytes
  const { position, passed } = skipLines(fitting, request.maxLines, { from: 0, unit })
  const endsInside = passed === request.maxLines
  const wholeRest = !endsInside && toEnd && fitting.length === bytes.length
  const cut = !endsInside && !wholeRest && position === 0 && fitting.length > 0
  const end = wholeRest || cut ? fitting.length : position
  const eof = toEnd && end === bytes.length
  const lineCount = passed + (end > position ? 1 : 0)
  return {
    bytes: fitting.subarray(0, end),
    byteOffset,
    lineCount,
    eof,
    cut,
    ...(eof && { totalLines: startLine + lineCount }),
  }
}

/** Lines of bytes that are in memory as a whole. */
export function linesInMemory(bytes: Buffer, request: LineRequest): LineWindow {
  const { position, passed } = skipLines(bytes, request.startLine, { from: 0, unit: request.unit })
  if (passed < request.startLine) return pastEnd(bytes.length, passed + (position < bytes.length ? 1 : 0))
  return cutWindow({ bytes: bytes.subarray(position), byteOffset: position, toEnd: true }, request)
}

/** The answer for lines behind the last one. */
export function pastEnd(size: number, totalLines: number): LineWindow {
  return { bytes: new Uint8Array(0), byteOffset: size, lineCount: 0, eof: true, cut: false, totalLines }
}
