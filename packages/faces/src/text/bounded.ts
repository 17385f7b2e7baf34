/** A text in lines, with what was left out so that drawing stays quick whatever arrives. */
export interface BoundedLines {
  readonly lines: readonly BoundedLine[]
  /** Lines that are not among them. */
  readonly linesLeftOut: number
}

/** A line, cut where it is too long. */
export interface BoundedLine {
  readonly text: string
  readonly charactersLeftOut: number
}

/** How many characters of one line are drawn. */
export const maxLineCharacters = 2000

/** The first lines of a text, each cut at the length that a page can draw; a last line break ends a line and begins none. */
export function boundedLines(
  text: string,
  options: { readonly maxLines: number; readonly keep?: "head" | "tail" },
): BoundedLines {
  const { maxLines, keep = "head" } = options
  const all = splitLines(text)
  const kept = all.length <= maxLines ? all : keep === "head" ? all.slice(0, maxLines) : all.slice(-maxLines)
  return { lines: kept.map(boundedLine), linesLeftOut: all.length - kept.length }
}

/** The lines of a text without their line breaks. */
function splitLines(text: string): readonly string[] {
  if (text === "") return []
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === "") lines.pop()
  return lines
}

/** A line cut at the length that a page can draw. */
export function boundedLine(text: string): BoundedLine {
  if (text.length <= maxLineCharacters) return { text, charactersLeftOut: 0 }
  return { text: text.slice(0, maxLineCharacters), charactersLeftOut: text.length - maxLineCharacters }
}
