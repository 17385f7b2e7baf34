import { linesOf } from "../shared/text/lines.js"
import { foldPunctuation, hasPunctuation } from "./fold.js"

/** A place that matches but for its indentation, and the new text with the indentation of that place. */
export interface Reindented {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Line comparisons after which a search gives up: repetitive files would make it quadratic. */
const maxComparisons = 100_000

/**
 * Finds whole lines that equal those of `wanted` when one and the same beginning of blanks is exchanged in all of them.
 * Trailing blanks and the kind of line break are disregarded. The replacement gets the same exchange of indentation;
 * where it cannot, nothing is found.
 */
export function findReindented(
  content: string,
  wanted: string,
  options: { readonly replacement: string; readonly overlapping: boolean },
): Reindented[] {
  const shape = shapeOf(foldPunctuation(wanted))
  if (shape.anchorText === "") return []
  // Folding keeps every character in its place, so that places in the folded text are places in the content.
  const folds = hasPunctuation(wanted) || (!content.includes(shape.anchorText) && hasPunctuation(content))
  const text = folds ? foldPunctuation(content) : content
  const found: Reindented[] = []
  let budget = maxComparisons
  let at = text.indexOf(shape.anchorText)
  while (at !== -1) {
    const match = matchAround(text, at, shape)
    budget -= match.compared
    if (budget < 0) return []
    let next = at + 1
    if (match.end !== undefined) {
      const original = content.slice(match.indentStart, match.indentStart + match.indent.length)
      const replacement = exchangeIndent(options.replacement, shape.indent, original)
      if (replacement === undefined) return []
      found.push({ start: match.start, end: match.end, text: replacement })
      if (!options.overlapping) next = Math.max(next, match.end)
    }
    at = text.indexOf(shape.anchorText, next)
  }
  return found
}

/** The asked lines without their common indentation and without trailing blanks. */
interface Shape {
  readonly rests: readonly string[]
  readonly indent: string
  /** The longest line, by which places are found, and its text without blanks. */
  readonly anchor: number
  readonly anchorText: string
  /** True when the line break after the last line is asked for too. */
  readonly withBreak: boolean
  readonly endedInBlanks: boolean
}

function shapeOf(wanted: string): Shape {
  const raw = [...linesOf(wanted)].map(([start, end]) => wanted.slice(start, end))
  const withBreak = raw.length > 1 && raw.at(-1) === ""
  if (withBreak) raw.pop()
  const lines = raw.map((line) => line.replace(/[ \t]+$/, ""))
  const indent = commonIndent(lines)
  const rests = lines.map((line) => line.slice(indent.length))
  let anchor = 0
  for (const [index, rest] of rests.entries()) if (rest.trim().length > rests[anchor]!.trim().length) anchor = index
  const endedInBlanks = !withBreak && lines.at(-1) !== raw.at(-1)
  return { rests, indent, anchor, anchorText: rests[anchor]!.trimStart(), withBreak, endedInBlanks }
}

interface Attempt {
  readonly start: number
  /** Absent when the lines do not match. */
  readonly end?: number
  readonly indent: string
  readonly indentStart: number
  readonly compared: number
}

/** Compares the lines around an occurrence of the anchor's text. */
function matchAround(text: string, at: number, shape: Shape): Attempt {
  const { rests, anchor } = shape
  const anchorRest = rests[anchor]!
  const restStart = at - (anchorRest.length - shape.anchorText.length)
  const lineStart = skipBlanksBack(text, restStart)
  const indent = text.slice(lineStart, Math.max(lineStart, restStart))
  const failed = { start: at, indent, indentStart: lineStart }
  if (restStart < lineStart || !isLineStart(text, lineStart) || !text.startsWith(anchorRest, restStart)) {
    return { ...failed, compared: 1 }
  }
  let start = lineStart
  for (let index = anchor - 1; index >= 0; index -= 1) {
    const before = lineBefore(text, start, withIndent(indent, rests[index]!))
    if (before === undefined) return { ...failed, compared: anchor - index }
    start = before
  }
  let end = lineStart
  for (let index = anchor; index < rests.length; index += 1) {
    const expected = withIndent(indent, rests[index]!)
    const after = skipBlanks(text, end + expected.length)
    if (!text.startsWith(expected, end) || !isLineEnd(text, after)) return { ...failed, compared: index + 1 }
    const last = index === rests.length - 1
    if (last && !shape.withBreak) end = shape.endedInBlanks ? after : end + expected.length
    else if (after === text.length) return { ...failed, compared: index + 1 }
    else end = afterBreak(text, after)
  }
  return { start, end, indent, indentStart: lineStart, compared: rests.length }
}

/** Start of the line before `lineStart` when it is the expected one. */
function lineBefore(text: string, lineStart: number, expected: string): number | undefined {
  if (lineStart === 0) return undefined
  const lineEnd = skipBlanksBack(text, breakStart(text, lineStart))
  const start = expected === "" ? lineEnd : lineEnd - expected.length
  if (start < 0 || !text.startsWith(expected, start) || !isLineStart(text, start)) return undefined
  return start
}

function withIndent(indent: string, rest: string): string {
  return rest === "" ? "" : indent + rest
}

function exchangeIndent(text: string, from: string, to: string): string | undefined {
  const lines = text.split("\n")
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue
    if (!line.startsWith(from)) return undefined
    lines[index] = to + line.slice(from.length)
  }
  return lines.join("\n")
}

function commonIndent(lines: readonly string[]): string {
  let common: string | undefined
  for (const line of lines) {
    if (line === "") continue
    const indent = /^[ \t]*/.exec(line)![0]
    common ??= indent
    while (!indent.startsWith(common)) common = common.slice(0, -1)
  }
  return common ?? ""
}

function skipBlanksBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at -= 1
  return at
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n" || text[at - 1] === "\r"
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === "\n" || text[at] === "\r"
}

function breakStart(text: string, lineStart: number): number {
  return text.startsWith("\r\n", lineStart - 2) ? lineStart - 2 : lineStart - 1
}

function afterBreak(text: string, at: number): number {
  return text.startsWith("\r\n", at) ? at + 2 : at + 1
}
