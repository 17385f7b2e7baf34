import type { Style } from "./style.js"

/** Rows as aligned columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string {
  const widths = widthsOf(rows)
  const line = (row: readonly string[]) => row.map((cell, index) => padded(cell, (widths[index] ?? 0) + gap)).join("")
  return rows.map((row) => line(row).trimEnd()).join("\n")
}

/** Rows as aligned columns below their titles. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], style: Style): string {
  return columns([titles.map((title) => style.bold(style.say(title))), ...rows])
}

/**
 * The text in lines of at most `maxWidth`, broken at spaces and between Chinese characters; a word that is longer is broken
 * where the line ends.
 */
export function wrap(text: string, maxWidth: number): readonly string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    let blank = " "
    for (const piece of word.split(betweenWide).flatMap((whole) => fold(whole, maxWidth))) {
      if (line !== "" && widthOf(line) + blank.length + widthOf(piece) > maxWidth) {
        lines.push(line)
        line = piece
      } else line = line === "" ? piece : `${line}${blank}${piece}`
      blank = ""
    }
  }
  return line === "" ? lines : [...lines, line]
}

// Chinese has no blanks: a line may end before and behind each character, but not before a mark that closes nor behind one
// that opens something.
const betweenWide =
  /(?<=[\u3001-\u9fff\uff01-\uff60])(?<![\uff08\u300a\u300c\u300e\u3010])(?![\uff0c\u3002\uff1b\uff1a\u3001\uff01\uff1f\uff09\u300b\u300d\u300f\u3011])|(?<=[!-~])(?=[\u3400-\u9fff\uff08\u300a\u300c\u300e\u3010])/u

/** A line that is too wide as several, the rest indented below it; what is aligned in it stays so. */
export function hang(line: string, maxWidth: number): readonly string[] {
  if (widthOf(line) <= maxWidth) return [line]
  const indent = `${/^ */.exec(line)![0].slice(0, maxWidth / 2)}  `
  const lines: string[] = []
  let current = ""
  const words = line.split(/(?<= )(?=[^ ])/).flatMap((whole) => whole.split(betweenWide))
  for (const word of words.flatMap((whole) => fold(whole, maxWidth - indent.length))) {
    if (current.trim() !== "" && widthOf((current + word).trimEnd()) > maxWidth) {
      lines.push(current.trimEnd())
      current = indent
    }
    current += word
  }
  return [...lines, current.trimEnd()]
}

/** The text in pieces of at most `maxWidth`, every blank kept: for code, where a blank may matter. */
export function fold(text: string, maxWidth: number): readonly string[] {
  if (widthOf(text) <= maxWidth) return [text]
  const pieces: string[] = []
  let piece = ""
  let width = 0
  for (const { segment } of graphemesOf(text)) {
    const more = widthOf(segment)
    if (piece !== "" && width + more > maxWidth) {
      pieces.push(piece)
      piece = ""
      width = 0
    }
    piece += segment
    width += more
  }
  return [...pieces, piece]
}

/** As many cells to a line as fit; a cell that does not fit into a line is broken. */
export function flow(cells: readonly string[], maxWidth: number, gap = 3): readonly string[] {
  const lines: string[] = []
  for (const cell of cells) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + gap + widthOf(cell) <= maxWidth) {
      lines[lines.length - 1] = `${last}${" ".repeat(gap)}${cell}`
    } else lines.push(...fold(cell, maxWidth))
  }
  return lines
}

/** How many columns of a terminal a text takes; colour takes none. */
export function widthOf(text: string): number {
  const plain = text.replace(/\u001b\[\d+m/g, "")
  if (!/[^ -~]/.test(plain)) return plain.length
  let width = 0
  for (const { segment } of graphemesOf(plain)) width += graphemeWidth(segment)
  return width
}

/** What a person sees as one letter each. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

// Made at the first text that is not ASCII, for the row "haft tools / node -e 0": ICU takes 9 ms to load its rules. Kept for
// the process because no object lives as long as every caller.
let segmenter: Intl.Segmenter | undefined

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Mark}\p{Control}\p{Format}]/u.test(grapheme)) return 0
  return wide.test(grapheme) || grapheme.includes("\ufe0f") ? 2 : 1
}

// East Asian Wide and Fullwidth (Unicode Standard Annex 11), and what is drawn as an emoji by itself.
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (index < row.length - 1) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))
    }
  }
  return widths
}

/** The text with blanks behind it, up to this width. */
export function padded(cell: string, size: number): string {
  return cell + " ".repeat(Math.max(0, size - widthOf(cell)))
}
