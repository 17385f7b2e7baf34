import { countLineFeeds } from "./utf8.js"

/** Start and end of every line, line breaks left out; line breaks are CRLF, LF and CR. */
export function* linesOf(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0
  let feed = text.indexOf("\n")
  let carriage = text.indexOf("\r")
  while (feed !== -1 || carriage !== -1) {
    const end = carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage
    yield [start, end]
    start = end === carriage && feed === carriage + 1 ? end + 2 : end + 1
    if (feed !== -1 && feed < start) feed = text.indexOf("\n", start)
    if (carriage !== -1 && carriage < start) carriage = text.indexOf("\r", start)
  }
  yield [start, text.length]
}

/** A line break of a file. */
export type LineEnding = "\n" | "\r\n" | "\r"

/** The line breaks of a text in order. */
export function lineEndingsOf(text: string): LineEnding[] {
  return (text.match(/\r\n?|\n/g) ?? []) as LineEnding[]
}

/** The line break that ends the line of this span, else the one before it; undefined in a text of one line. */
export function nearestLineEnding(source: LineSource, start: number, end: number): LineEnding | undefined {
  for (let at = end; at < source.length; at += 1) {
    const code = source.codeAt(at)
    if (code === 10) return at > 0 && source.codeAt(at - 1) === 13 ? "\r\n" : "\n"
    if (code === 13) return at + 1 < source.length && source.codeAt(at + 1) === 10 ? "\r\n" : "\r"
  }
  for (let at = start - 1; at >= 0; at -= 1) {
    const code = source.codeAt(at)
    if (code === 10) return at > 0 && source.codeAt(at - 1) === 13 ? "\r\n" : "\n"
    if (code === 13) return "\r"
  }
  return undefined
}

/** The text with its line breaks replaced by these, one after the other; the last one serves all that follow. */
export function withLineEndings(text: string, endings: readonly LineEnding[]): string {
  if (endings.length === 0) return text
  let index = 0
  return text.replace(/\r\n|\n/g, () => endings[Math.min(index++, endings.length - 1)]!)
}

/** A text by place, where a place is a byte of UTF-8 or a code unit of a string: enough to find and cut lines. */
export interface LineSource {
  readonly length: number
  codeAt(place: number): number
  /** The last line feed before `place`; -1 when there is none. */
  lineFeedBefore(place: number): number
  /** The first line feed at or after `place`; -1 when there is none. */
  lineFeedFrom(place: number): number
  /** How many line feeds are before `place`; cheap near the place that was asked for last. */
  lineFeedsBefore(place: number): number
  slice(start: number, end: number): string
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** Lines of UTF-8 bytes; only what is sliced is decoded. */
export function bytesAsLines(bytes: Uint8Array): LineSource {
  return {
    length: bytes.length,
    codeAt: (place) => bytes[place]!,
    lineFeedBefore: (place) => (place > 0 ? bytes.lastIndexOf(10, place - 1) : -1),
    lineFeedFrom: (place) => bytes.indexOf(10, place),
    lineFeedsBefore: fromLastPlace((start, end) => countLineFeeds(bytes, start, end)),
    slice: (start, end) => utf8.decode(bytes.subarray(start, end)),
  }
}

/** Lines of a decoded text. */
export function stringAsLines(content: string): LineSource {
  return {
    length: content.length,
    codeAt: (place) => content.charCodeAt(place),
    lineFeedBefore: (place) => (place > 0 ? content.lastIndexOf("\n", place - 1) : -1),
    lineFeedFrom: (place) => content.indexOf("\n", place),
    lineFeedsBefore: fromLastPlace((start, end) => countInString(content, start, end)),
    slice: (start, end) => content.slice(start, end),
  }
}

/** Counts on from the place that was asked for last, in either direction. */
function fromLastPlace(count: (start: number, end: number) => number): (place: number) => number {
  let last = 0
  let before = 0
  return (place) => {
    before += place >= last ? count(last, place) : -count(place, last)
    last = place
    return before
  }
}

function countInString(content: string, start: number, end: number): number {
  let count = 0
  for (let at = content.indexOf("\n", start); at !== -1 && at < end; at = content.indexOf("\n", at + 1)) count += 1
  return count
}
