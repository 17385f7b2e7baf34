import { closestPiece } from "./closest-piece.js"
import { linesOf } from "../text/lines-of.js"
import { type ComparableLine, comparable, lineSimilarity } from "./line-similarity.js"
import { locateSimilar } from "./locate-similar.js"

/** A place that is similar to what was asked for, in code units of the content. */
export interface Region {
  readonly start: number
  readonly end: number
}

/** Lines that are compared at either end of a text. */
const comparedLines = 40
/** Similarity below which a region would mislead more than it helps. */
const leastSimilarity = 0.35
const slackUnits = 4_000
/** Beginnings that are tried: about the lines of twice the slack. */
const maxOffsets = 400
const maxRegionUnits = 262_144

/** The region most similar to the asked text; undefined when nothing is alike. Quick in files of any size. */
export function nearestRegion(content: string, asked: string): Region | undefined {
  const about = locateSimilar(content, asked)
  if (about === undefined) return undefined
  const from = content.lastIndexOf("\n", Math.max(0, about - slackUnits)) + 1
  const to = Math.min(content.length, about + Math.min(asked.length, maxRegionUnits) + slackUnits)
  const lines = [...linesOf(content.slice(from, to))].map(([start, end]) => ({ start: from + start, end: from + end }))
  const askedLines = [...linesOf(asked)].map(([start, end]) => asked.slice(start, end))
  // A line break at the end is no line of its own.
  const endsInBreak = askedLines.length > 1 && askedLines.at(-1) === ""
  if (endsInBreak) askedLines.pop()
  const found = align(
    comparableLines(lines.length, (index) => content.slice(lines[index]!.start, lines[index]!.end)),
    comparableLines(askedLines.length, (index) => askedLines[index]!),
  )
  if (found === undefined) return undefined
  return cutEnds(content, { first: lines[found.first]!, last: lines[found.last]!, askedLines, endsInBreak })
}

/** Lines that are prepared when they are looked at: of a long text only a few are. */
interface ComparableLines {
  readonly length: number
  at(index: number): ComparableLine
}

function comparableLines(length: number, lineAt: (index: number) => string): ComparableLines {
  const prepared = new Map<number, ComparableLine>()
  return {
    length,
    at(index) {
      const line = prepared.get(index) ?? comparable(lineAt(index))
      prepared.set(index, line)
      return line
    },
  }
}

interface Aligned {
  readonly first: number
  readonly last: number
}

/** Finds the first line by the beginning of the asked text, and the last line by its end. */
function align(lines: ComparableLines, asked: ComparableLines): Aligned | undefined {
  const compared = Math.min(asked.length, comparedLines)
  const head = Array.from({ length: compared }, (_, index) => asked.at(index))
  const first = bestOffset(lines, head, { from: 0, to: Math.min(lines.length - 1, maxOffsets) })
  if (first === undefined) return undefined
  if (asked.length === 1) return { first, last: first }
  const tail = Array.from({ length: compared }, (_, index) => asked.at(asked.length - compared + index))
  const expected = first + asked.length - compared
  const last = bestOffset(lines, tail, { from: Math.max(first, expected - 12), to: expected + 12 })
  const lastLine = last === undefined ? first + asked.length - 1 : last + compared - 1
  return { first, last: Math.max(first, Math.min(lastLine, lines.length - 1)) }
}

/** Where the asked lines fit best; undefined when they fit nowhere. */
function bestOffset(
  lines: ComparableLines,
  asked: readonly ComparableLine[],
  range: { readonly from: number; readonly to: number },
): number | undefined {
  let best: { readonly offset: number; readonly score: number } | undefined
  for (let offset = range.from; offset <= Math.min(range.to, lines.length - 1); offset += 1) {
    let score = 0
    for (const [index, line] of asked.entries()) {
      if (offset + index < lines.length) score += lineSimilarity(line, lines.at(offset + index)) * weightOf(line)
    }
    if (best === undefined || score > best.score + 1e-9) best = { offset, score }
  }
  const weight = asked.reduce((sum, line) => sum + weightOf(line), 0)
  return best !== undefined && best.score >= leastSimilarity * weight ? best.offset : undefined
}

/** Equal empty lines say little about a place. */
function weightOf(line: ComparableLine): number {
  return line.bare === "" ? 0.1 : 1
}

interface Ends {
  readonly first: Region
  readonly last: Region
  readonly askedLines: readonly string[]
  readonly endsInBreak: boolean
}

/** An asked text may begin and end inside a line: takes of the first and the last line what is nearest to it. */
function cutEnds(content: string, { first, last, askedLines, endsInBreak }: Ends): Region {
  const firstAsked = askedLines[0]!
  const lastAsked = askedLines.at(-1)!
  const firstLine = content.slice(first.start, first.end)
  const lastLine = content.slice(last.start, last.end)
  const single = first.start === last.start
  const open = single && !endsInBreak ? "both" : "start"
  const head = closestPiece(firstLine, firstAsked, open)
  const start = first.start + wholeIndent(firstLine, firstAsked, head.start)
  const lastEnd = single ? head.end : closestPiece(lastLine, lastAsked, "end").end
  if (!endsInBreak) return { start, end: Math.max(start, last.start + lastEnd) }
  const lineBreak = /^(?:\r\n?|\n)/.exec(content.slice(last.end, last.end + 2))
  return { start, end: last.end + (lineBreak?.[0].length ?? 0) }
}

/** Blanks before the first word are wanted as a whole when the asked text has some, and not at all when it has none. */
function wholeIndent(line: string, asked: string, start: number): number {
  const indent = line.length - line.trimStart().length
  if (start > indent) return start
  return /^\s/.test(asked) ? 0 : indent
}
