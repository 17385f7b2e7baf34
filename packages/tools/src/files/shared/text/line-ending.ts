import type { LineSource } from "./line-source.js"

/** A line break as it stands in a file. */
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

/** The text with its line breaks replaced by these, one after the other; the last stands for all that follow. */
export function withLineEndings(text: string, endings: readonly LineEnding[]): string {
  if (endings.length === 0) return text
  let index = 0
  return text.replace(/\r\n|\n/g, () => endings[Math.min(index++, endings.length - 1)]!)
}
