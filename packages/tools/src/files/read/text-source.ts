import type { LineRequest, LineWindow } from "@haft/contract"

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
