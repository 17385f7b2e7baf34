import { linesOf } from "../shared/text/lines.js"

/** What a folding disregards. */
export interface Folding {
  readonly trailingBlanks: boolean
  readonly punctuation: boolean
}

/** A text made comparable, line by line, that leads back to the original. */
export interface Folded {
  /** Line breaks are line feeds. */
  readonly text: string
  /** True when blanks were taken from the very end. */
  readonly endedInBlanks: boolean
  /** The place in the original where a match that begins here begins. */
  startOf(place: number): number
  /** The place in the original where a match that ends here ends; `wholeLine` includes the blanks that end the line. */
  endOf(place: number, wholeLine: boolean): number
}

/** Folds line endings, and what the folding names. Linear in the length of the text, whatever it holds. */
export function fold(original: string, folding: Folding): Folded {
  const starts: number[] = []
  const foldedStarts: number[] = []
  const lengths: number[] = []
  const pieces: string[] = []
  let foldedLength = 0
  let endedInBlanks = false
  for (const [start, end] of linesOf(original)) {
    const kept = folding.trailingBlanks ? withoutTrailingBlanks(original, start, end, folding) : end
    endedInBlanks = kept < end
    starts.push(start)
    foldedStarts.push(foldedLength)
    lengths.push(kept - start)
    pieces.push(original.slice(start, kept))
    foldedLength += kept - start + 1
  }
  const joined = pieces.join("\n")
  const lineAt = (place: number) => lastAtMost(foldedStarts, place)
  const breakOf = (line: number) =>
    line + 1 < starts.length ? breakBefore(original, starts[line + 1]!) : original.length
  return {
    text: folding.punctuation ? foldPunctuation(joined) : joined,
    endedInBlanks,
    startOf(place) {
      const line = lineAt(place)
      const offset = place - foldedStarts[line]!
      return offset < lengths[line]! ? starts[line]! + offset : breakOf(line)
    },
    endOf(place, wholeLine) {
      const line = lineAt(place)
      const offset = place - foldedStarts[line]!
      return wholeLine && offset === lengths[line] ? breakOf(line) : starts[line]! + offset
    },
  }
}

/** Quotes, dashes and spaces of Unicode as their ASCII relatives; every character stays one character. */
export function foldPunctuation(text: string): string {
  return text
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
}

/** Whether the folding of punctuation would change the text. */
export function hasPunctuation(text: string): boolean {
  return /[\u2018-\u201f\u2010-\u2015\u2212\u00a0\u2000-\u200a\u202f\u205f\u3000]/.test(text)
}

function breakBefore(text: string, start: number): number {
  return text[start - 1] === "\n" && text[start - 2] === "\r" ? start - 2 : start - 1
}

function withoutTrailingBlanks(text: string, start: number, end: number, folding: Folding): number {
  let kept = end
  while (kept > start && isBlank(text.charCodeAt(kept - 1), folding)) kept -= 1
  return kept
}

function isBlank(code: number, { punctuation }: Folding): boolean {
  if (code === 0x20 || code === 0x09) return true
  if (!punctuation || code < 0xa0) return false
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f || code === 0x205f || code === 0x3000
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
