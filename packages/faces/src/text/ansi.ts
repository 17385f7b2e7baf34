import { maxLineCharacters } from "./bounded.js"

/** How a run of characters looks; colours are numbers of the sixteen that terminals have, 0 to 7 and their bright ones. */
export interface AnsiStyle {
  readonly color?: number
  readonly background?: number
  readonly bold?: boolean
  readonly dim?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly inverse?: boolean
}

/** Characters of one look. */
export interface AnsiRun {
  readonly text: string
  readonly style: AnsiStyle
}

/** A line of a terminal. */
export interface AnsiLine {
  readonly runs: readonly AnsiRun[]
  readonly charactersLeftOut: number
}

/** An output as a terminal would show it, its end or its beginning. */
export interface AnsiText {
  readonly lines: readonly AnsiLine[]
  readonly linesLeftOut: number
}

// More of one line is not looked at; its letters are counted.
const maxRead = 20_000
const maxRuns = 300

// Text up to the next control; CSI; strings of the terminal (OSC, DCS and the like) up to their end; short sequences; any
// other character.
const token =
  /[^\x00-\x08\x0b-\x1f\x7f\x9b]+|(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ #%()*+\-./][0-~]|\x1b[78=>cDEHMNOZ\\]|[\s\S]/g

/**
 * Reads colours and line ends of an output. Only what is shown is read, so that any output is quick. What is no known
 * sequence is text, so that nothing hides.
 */
export function parseAnsi(
  text: string,
  { maxLines, keep }: { readonly maxLines: number; readonly keep: "head" | "tail" },
): AnsiText {
  const all = text.split("\n")
  if (all.at(-1) === "") all.pop()
  const kept = all.length <= maxLines ? all : keep === "tail" ? all.slice(-maxLines) : all.slice(0, maxLines)
  let style = plain
  const lines = kept.map((raw) => {
    const line = new Line()
    style = line.read(lastState(raw), style)
    return line
  })
  return { lines, linesLeftOut: all.length - kept.length }
}

/** What is seen of a line that was written again and again from its start, as a progress bar is. */
function lastState(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end)
}

class Line implements AnsiLine {
  readonly runs: { text: string; style: AnsiStyle }[] = []
  charactersLeftOut = 0
  private length = 0

  /** Takes the text of the line, which begins in this look, and answers the look in which the next one begins. */
  read(text: string, first: AnsiStyle): AnsiStyle {
    let style = first
    for (const [piece, parameters, final] of text.slice(0, maxRead).matchAll(token)) {
      if (final === "m") style = changed(style, parameters!)
      else if (final === undefined && !piece.startsWith("\x1b") && piece !== "\x07") this.add(piece, style)
    }
    this.charactersLeftOut += Math.max(0, text.length - maxRead)
    return style
  }

  private add(text: string, style: AnsiStyle): void {
    const shown = text.slice(0, Math.max(0, maxLineCharacters - this.length))
    this.charactersLeftOut += text.length - shown.length
    this.length += shown.length
    const last = this.runs.at(-1)
    if (shown === "") return
    if (last !== undefined && (last.style === style || this.runs.length >= maxRuns)) last.text += shown
    else this.runs.push({ text: shown, style })
  }
}

const plain: AnsiStyle = {}

/** The look after an SGR sequence with these parameters. */
function changed(style: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.slice(0, 200).split(/[;:]/).map(Number)
  let next: AnsiStyle = style
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index]!
    if (code === 38 || code === 48) {
      const { color, used } = extended(codes.slice(index + 1))
      index += used
      if (color !== undefined) next = { ...next, [code === 38 ? "color" : "background"]: color }
    } else next = simple(next, code)
  }
  return next
}

function simple(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return plain
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 3) return { ...style, italic: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 7) return { ...style, inverse: true }
  if (code === 22) return without(style, "bold", "dim")
  if (code === 23) return without(style, "italic")
  if (code === 24) return without(style, "underline")
  if (code === 27) return without(style, "inverse")
  if (code === 39) return without(style, "color")
  if (code === 49) return without(style, "background")
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 }
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 }
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 }
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 }
  return style
}

function without(style: AnsiStyle, ...names: (keyof AnsiStyle)[]): AnsiStyle {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof AnsiStyle)))
}

/** The nearest of the sixteen for one of 256 or of sixteen million: those are readable in both themes. */
function extended([kind, ...rest]: readonly number[]): { readonly color?: number; readonly used: number } {
  if (kind === 5 && rest[0] !== undefined) return { color: of256(rest[0]), used: 2 }
  if (kind === 2 && rest.length >= 3) return { color: nearest(rest[0]!, rest[1]!, rest[2]!), used: 4 }
  return { used: kind === undefined ? 0 : 1 }
}

function of256(code: number): number {
  if (code < 16) return Math.max(0, code)
  if (code >= 232) return code < 244 ? 0 : 7
  const cube = code - 16
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6))
}

/** One bit for each of red, green and blue that is strong beside the strongest. */
function nearest(red: number, green: number, blue: number): number {
  const strongest = Math.max(red, green, blue, 1)
  const bit = (value: number, place: number) => (value > strongest * 0.6 ? place : 0)
  return bit(red, 1) | bit(green, 2) | bit(blue, 4)
}
