import type { NewlineUnit } from "@haft/contract"

/** The smallest distance between two marks: what a deep read looks through at most. */
const smallestStride = 64 * 1024
/** Marks a file may have: above it the marks lie further apart, so that memory stays bounded. */
const maxMarks = 16 * 1024

/** How many line breaks lie before certain places of one file, learnt while reading. */
export interface LineIndex {
  readonly unit: NewlineUnit
  /** Distance between two marks, a power of two. */
  readonly stride: number
  /** The mark from which to look for the beginning of a line. */
  before(line: number): Mark
  /** Remembers a mark; ignored unless it is the next one. */
  learn(mark: Mark): void
  /** The furthest mark. */
  last(): Mark
}

/** A place in a file and the line breaks before it. */
interface Mark {
  readonly offset: number
  readonly newlines: number
}

/** An index that knows nothing yet. */
export function createLineIndex(size: number, unit: NewlineUnit): LineIndex {
  let stride = smallestStride
  while (size / stride > maxMarks) stride *= 2
  const counts = [0]
  const markAt = (index: number): Mark => ({ offset: index * stride, newlines: counts[index]! })
  return {
    unit,
    stride,
    before(line) {
      // The wanted line begins behind its line break, which lies behind the last mark with fewer breaks.
      let low = 0
      let high = counts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (counts[middle]! < line) low = middle
        else high = middle - 1
      }
      return markAt(low)
    },
    learn({ offset, newlines }) {
      if (offset === counts.length * stride) counts.push(newlines)
    },
    last: () => markAt(counts.length - 1),
  }
}
