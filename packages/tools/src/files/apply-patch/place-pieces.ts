import { ToolError } from "@haft/contract"
import { type FileLine, fileLines } from "../shared/diff/file-lines.js"
import type { DiffHunk, DiffLine } from "../shared/diff/parse-diff.js"
import type { Text } from "../shared/text/open-text.js"
import type { Piece } from "./file-patch.js"
import { lineKey, locatePiece } from "./locate-piece.js"

/** Turns pieces without line numbers into hunks with them, by finding their lines in the file. */
export function placePieces(text: Text, pieces: readonly Piece[], path: string): readonly DiffHunk[] {
  const lines = fileLines(text)
  const file = { path, content: text.content, keys: lines.map((line) => lineKey(line.text)) }
  const hunks: DiffHunk[] = []
  let from = 0
  let shift = 0
  for (const [index, piece] of pieces.entries()) {
    const at = locatePiece(file, { piece, number: index + 1, from })
    const hunk = hunkAt(piece, { lines, at, shift })
    hunks.push(hunk)
    from = at + piece.lines.filter(({ sign }) => sign !== "+").length
    shift += hunk.newCount - hunk.oldCount
  }
  return hunks
}

interface Spot {
  readonly lines: readonly FileLine[]
  /** The line of the piece, counted from 0. */
  readonly at: number
  /** How many lines the hunks before have added. */
  readonly shift: number
}

function hunkAt(piece: Piece, { lines, at, shift }: Spot): DiffHunk {
  const { entries, first } = withFileEnd(piece, lines, at)
  const oldCount = entries.filter(({ sign }) => sign !== "+").length
  const newCount = entries.filter(({ sign }) => sign !== "-").length
  // By the convention of unified diffs an empty side is numbered by the line before it.
  const oldStart = oldCount === 0 ? first : first + 1
  const newStart = (newCount === 0 ? first : first + 1) + shift
  const header = `@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`
  return { header, oldStart, oldCount, newStart, newCount, lines: entries }
}

/** The lines of the piece with their line feeds: a file that does not end with one still does not afterwards. */
function withFileEnd(piece: Piece, lines: readonly FileLine[], at: number): { entries: DiffLine[]; first: number } {
  const entries = literalLines(piece, lines, at)
  const last = lines.at(-1)
  const oldCount = entries.filter(({ sign }) => sign !== "+").length
  if (!last || last.hasLineFeed || at + oldCount < lines.length) return { entries, first: at }
  if (oldCount === 0) entries.unshift({ sign: " ", text: last.text, hasLineFeed: true })
  const first = oldCount === 0 ? at - 1 : at
  const end = entries.findLastIndex(({ sign }) => sign !== "+")
  const newest = entries.findLastIndex(({ sign }) => sign !== "-")
  const open: DiffLine = { ...entries[end]!, hasLineFeed: false }
  if (newest !== end && entries[newest]?.sign === "+") entries[newest] = unended(entries[newest])
  // A last line that gets successors gets a line feed, too.
  const isContinued = open.sign === " " && newest > end
  if (isContinued && last.lossy) throw undecodableEnd()
  const ended: DiffLine = { sign: "+", text: withEnding(open.text, lines, lines.length), hasLineFeed: true }
  entries.splice(end, 1, ...(isContinued ? [{ ...open, sign: "-" as const }, ended] : [open]))
  return { entries, first }
}

function undecodableEnd(): ToolError {
  const reason = "its last line has no line break and holds bytes that are no characters"
  return new ToolError("unsupported", `Cannot add lines at the end of the file: ${reason}; end that line first`)
}

/** Lines that stay or go as they are in the file, and new ones with the line break of their neighbours. */
function literalLines(piece: Piece, lines: readonly FileLine[], at: number): DiffLine[] {
  let next = at
  return piece.lines.map(({ sign, text }) => {
    const literal = sign === "+" ? withEnding(text, lines, next) : lines[next++]!.text
    return { sign, text: literal, hasLineFeed: true }
  })
}

/** The carriage return belongs to the text here; a new line takes it from the line before, else from the one after. */
function withEnding(text: string, lines: readonly FileLine[], next: number): string {
  const neighbour = [lines[next - 1], lines[next], lines[next - 2], lines[0]].find((line) => line?.hasLineFeed)
  return neighbour?.text.endsWith("\r") && !text.endsWith("\r") ? `${text}\r` : text
}

function unended({ sign, text }: DiffLine): DiffLine {
  return { sign, text: text.endsWith("\r") ? text.slice(0, -1) : text, hasLineFeed: false }
}
