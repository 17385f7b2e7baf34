import { conceals } from "@haft/contract"

/** What a terminal would show of an output. */
export interface CleanOutput {
  readonly text: string
  /** Some of it would not be seen on a terminal (`ESC[8m`). */
  readonly concealed: boolean
}

/**
 * The text that a terminal shows at the end: control sequences are gone, and of a line that was written over and over
 * the last state is left. Never longer, in linear time; text without control characters stays as it is. A sequence ends
 * with its line: one that is not closed there loses its escape character and nothing else.
 */
export function cleanOutput(text: string): CleanOutput {
  if (!control.test(text)) return { text, concealed: false }
  let concealed = false
  const lines = text.split("\n").map((line) => {
    if (!control.test(line)) return line
    const drawn = drawLine(line)
    concealed ||= drawn.concealed
    return drawn.text
  })
  return { text: lines.join("\n"), concealed }
}

// Bell, backspace, carriage return, shifts to other character sets, escape, and the C1 controls but for NEL, a line break.
const control = /[\x07\x08\r\x0e\x0f\x1b\x80-\x84\x86-\x9f]/

// Everything up to the next control character, or one control character with what belongs to it. Each alternative stops
// before the next control character, so that no character is looked at more than a few times.
const token = new RegExp(
  [
    "[^\\x07\\x08\\r\\x0e\\x0f\\x1b\\x80-\\x84\\x86-\\x9f]+",
    // CSI: parameters, intermediates, final character.
    "(?:\\x1b\\[|\\x9b)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])",
    // OSC, DCS, SOS, PM and APC up to their end, which is BEL or ST.
    "(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x07\\x1b\\x80-\\x84\\x86-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)",
    // Character sets, and the short sequences that terminals know; any other letter is text.
    "\\x1b[ #%()*+\\-./][0-~]",
    "\\x1b[78=>cDEHMNOZ\\\\]",
    "[^]",
  ].join("|"),
  "gu",
)

function drawLine(line: string): CleanOutput {
  const drawn = new DrawnLine()
  let concealed = false
  for (const { 0: piece, groups } of line.matchAll(token)) {
    if (groups?.final !== undefined) {
      drawn.move(groups.final, groups.parameters!)
      concealed ||= groups.final === "m" && conceals(groups.parameters!)
    } else if (piece === "\r") drawn.column = 0
    else if (piece === "\b") drawn.column = Math.max(0, drawn.column - 1)
    else if (!control.test(piece[0]!)) drawn.write(piece)
  }
  return { text: drawn.text(), concealed }
}

/** A line of a terminal: what is written at a column replaces what was there. */
class DrawnLine {
  column = 0
  /** As long as nothing was written over, the pieces as they came. */
  private pieces: string[] = []
  private cells: string[] | undefined
  private written = 0

  write(piece: string): void {
    const isPlain = this.cells === undefined && this.column === this.written
    const characters = [...piece]
    if (isPlain) this.pieces.push(piece)
    else {
      const cells = this.drawn()
      for (const [index, character] of characters.entries()) cells[this.column + index] = character
    }
    this.column += characters.length
    this.written = Math.max(this.written, this.column)
  }

  /** Moves within the line and erasures; all other sequences change nothing that is text. */
  move(final: string, parameters: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 0)
    if (final === "G") this.column = Math.min(count - 1, this.written)
    else if (final === "D") this.column = Math.max(0, this.column - count)
    else if (final === "C") this.column = Math.min(this.written, this.column + count)
    else if (final === "K") this.erase(parameters)
  }

  text(): string {
    return (this.cells ?? this.pieces).join("")
  }

  /** From the column to the end, or all of it; a program that erases all begins again at the left. */
  private erase(what: string): void {
    if (what === "1") return
    if (what === "2") this.column = 0
    this.drawn().length = this.column
    this.written = this.column
  }

  private drawn(): string[] {
    this.cells ??= [...this.pieces.join("")]
    return this.cells
  }
}
