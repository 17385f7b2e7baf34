import { linesOf } from "../text/lines.js"
import { type ComparableLine, comparable, lineSimilarity } from "./line-similarity.js"

/** Whole lines, in code units of the content. */
export interface Region {
  readonly start: number
  readonly end: number
}

/** The lines most similar to what was asked for. */
export interface NearestRegion extends Region {
  /** Where other lines begin, nearby, that are just as similar. */
  readonly tied: readonly number[]
}

/** Lines that are compared at either end of a text. */
const comparedLines = 40
/** Similarity below which a region would mislead more than it helps. */
const leastSimilarity = 0.35
const slackUnits = 4_000
/** Beginnings that are tried: about the lines of twice the slack. */
const maxOffsets = 400
const maxRegionUnits = 262_144

/**
 * The lines most similar to the asked text, with the last line break where the asked text ends in one; undefined when
 * nothing is alike. Quick in files of any size.
 */
export function nearestRegion(content: string, asked: string): NearestRegion | undefined {
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
  const { start } = lines[found.first]!
  const { end } = lines[found.last]!
  const lineBreak = endsInBreak ? /^(?:\r\n?|\n)/.exec(content.slice(end, end + 2)) : null
  const tied = found.tied.map((index) => lines[index]!.start)
  return { start, end: end + (lineBreak?.[0].length ?? 0), tied }
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
  readonly tied: readonly number[]
}

/** Finds the first line by the beginning of the asked text, and the last line by its end. */
function align(lines: ComparableLines, asked: ComparableLines): Aligned | undefined {
  const compared = Math.min(asked.length, comparedLines)
  const head = Array.from({ length: compared }, (_, index) => asked.at(index))
  const start = bestOffset(lines, head, { from: 0, to: Math.min(lines.length - 1, maxOffsets) })
  if (start === undefined) return undefined
  const { offset: first, tied } = start
  if (asked.length === 1) return { first, last: first, tied }
  const tail = Array.from({ length: compared }, (_, index) => asked.at(asked.length - compared + index))
  const expected = first + asked.length - compared
  const last = bestOffset(lines, tail, { from: Math.max(first, expected - 12), to: expected + 12 })
  const lastLine = last === undefined ? first + asked.length - 1 : last.offset + compared - 1
  return { first, last: Math.max(first, Math.min(lastLine, lines.length - 1)), tied }
}

/** Where the asked lines fit best and where they fit as well; undefined when they fit nowhere. */
function bestOffset(
  lines: ComparableLines,
  asked: readonly ComparableLine[],
  range: { readonly from: number; readonly to: number },
): { readonly offset: number; readonly tied: readonly number[] } | undefined {
  let best: { readonly offset: number; readonly score: number; readonly tied: number[] } | undefined
  for (let offset = range.from; offset <= Math.min(range.to, lines.length - 1); offset += 1) {
    let score = 0
    for (const [index, line] of asked.entries()) {
      if (offset + index < lines.length) score += lineSimilarity(line, lines.at(offset + index)) * weightOf(line)
    }
    if (best === undefined || score > best.score + 1e-9) best = { offset, score, tied: [] }
    else if (score > best.score - 1e-9) best.tied.push(offset)
  }
  const weight = asked.reduce((sum, line) => sum + weightOf(line), 0)
  return best !== undefined && best.score >= leastSimilarity * weight ? best : undefined
}

/** Equal empty lines say little about a place. */
function weightOf(line: ComparableLine): number {
  return line.bare === "" ? 0.1 : 1
}

/** Bounds that keep the search quick in files and texts of any size. */
const maxWords = 24
const maxPlacesPerWord = 48
const maxScannedUnits = 24_000_000
const maxAskedUnits = 65_536

/**
 * About where in the content a similar text begins; undefined when they share no word.
 * Every rare word that both share votes for the beginning that it implies.
 */
function locateSimilar(content: string, asked: string): number | undefined {
  const votes: { readonly start: number; readonly weight: number }[] = []
  let scanned = 0
  for (const { word, offset } of tellingWords(asked.slice(0, maxAskedUnits))) {
    const places: number[] = []
    let from = 0
    while (places.length < maxPlacesPerWord && scanned < maxScannedUnits) {
      const at = content.indexOf(word, from)
      scanned += (at === -1 ? content.length : at) - from
      if (at === -1) break
      places.push(at)
      from = at + word.length
    }
    for (const place of places) votes.push({ start: place - offset, weight: word.length / places.length })
    if (scanned >= maxScannedUnits) break
  }
  return densest(votes, Math.max(120, Math.min(asked.length, maxAskedUnits) / 4))
}

/** The longest words of a text, each once, with its first place; signs where there are no words. */
function tellingWords(text: string): readonly { readonly word: string; readonly offset: number }[] {
  const words = new Map<string, number>()
  for (const match of text.matchAll(/[\p{L}\p{N}_]{3,64}/gu)) {
    if (!words.has(match[0])) words.set(match[0], match.index)
  }
  if (words.size === 0) for (const match of text.matchAll(/\S{1,64}/g)) words.set(match[0], match.index)
  return [...words]
    .map(([word, offset]) => ({ word, offset }))
    .sort((left, right) => right.word.length - left.word.length)
    .slice(0, maxWords)
}

/** The middle of the stretch of this length that holds most of the votes. */
function densest(votes: { readonly start: number; readonly weight: number }[], stretch: number): number | undefined {
  votes.sort((left, right) => left.start - right.start)
  let best: { readonly start: number; readonly weight: number } | undefined
  let weight = 0
  let first = 0
  for (const vote of votes) {
    weight += vote.weight
    while (vote.start - votes[first]!.start > stretch) weight -= votes[first++]!.weight
    if (best === undefined || weight > best.weight + 1e-9) {
      best = { start: (votes[first]!.start + vote.start) / 2, weight }
    }
  }
  return best === undefined ? undefined : Math.max(0, Math.round(best.start))
}
