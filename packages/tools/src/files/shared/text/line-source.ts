import { countLineFeeds } from "./scan-utf8.js"

/** A text by place, where a place is a byte of UTF-8 or a code unit of a string: enough to find and cut lines. */
export interface LineSource {
  readonly length: number
  codeAt(place: number): number
  /** The last line feed before `place`; -1 when there is none. */
  lineFeedBefore(place: number): number
  /** The first line feed at or after `place`; -1 when there is none. */
  lineFeedFrom(place: number): number
  /** How many line feeds stand before `place`; cheap near the place that was asked for last. */
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
