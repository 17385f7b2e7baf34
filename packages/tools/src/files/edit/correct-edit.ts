import { findSequence } from "../shared/find-sequence.js"
import { comparable, lineSimilarity } from "../shared/similar/line-similarity.js"
import { nearestRegion, type Region } from "../shared/similar/nearest-region.js"
import { lineEndingsOf, linesOf } from "../shared/text/lines.js"
import type { Text } from "../shared/text/open-text.js"
import type { Wanted } from "./find-matches.js"
import { foldPunctuation } from "./fold.js"

/** The whole lines that are most like an asked text. */
export interface Place extends Region {
  /** Where lines begin that are as much like it: with any of them nobody can say which ones were meant. */
  readonly others: readonly number[]
}

/** Both strings for a second try: the old one is whole lines that occur once. */
export interface Correction {
  readonly oldString: string
  /** Present when the new text must change too: other indentation, or lines that were added to both. */
  readonly newString?: string
}

/** Longest text that is worth sending back. */
const maxCorrectedUnits = 32_768
/** Longest file in which all lines are compared. */
const maxComparedUnits = 4_000_000

/** Finds the lines that an asked text probably means; undefined when nothing is alike. */
export function placeOf(content: string, asked: string): Place | undefined {
  const alike = linesAlike(content, asked)
  if (alike.length > 0) return { ...alike[0]!, others: alike.slice(1).map(({ start }) => start) }
  const nearest = nearestRegion(content, asked)
  if (nearest === undefined) return undefined
  const twins = linesAlike(content, content.slice(nearest.start, nearest.end)).map(({ start }) => start)
  const others = new Set([...nearest.tied, ...twins])
  others.delete(nearest.start)
  return { ...nearest, others: [...others] }
}

/** Every place whose lines equal the asked ones but for the blanks around each line. */
function linesAlike(content: string, asked: string): readonly Region[] {
  if (content.length > maxComparedUnits) return []
  const keys = [...linesOf(asked)].map(([start, end]) => keyOf(asked.slice(start, end)))
  const endsInBreak = keys.length > 1 && asked.length > 0 && /[\r\n]$/.test(asked)
  if (endsInBreak) keys.pop()
  if (keys.every((key) => key === "")) return []
  const lines = [...linesOf(content)]
  // Folding keeps every character in its place.
  const folded = foldPunctuation(content)
  const found = findSequence(
    lines.map(([start, end]) => folded.slice(start, end).trim()),
    keys,
  )
  return found.map((first) => {
    const last = first + keys.length - 1
    const next = endsInBreak ? lines[last + 1]?.[0] : undefined
    return { start: lines[first]![0], end: next ?? lines[last]![1] }
  })
}

function keyOf(line: string): string {
  return foldPunctuation(line).trim()
}

/**
 * What to send instead, made so that the edit then does what was asked for: nothing but these lines changes, they get
 * the file's indentation, and those that the edit keeps stay as they are. Undefined where that is not certain.
 */
export function correctEdit(text: Text, place: Place, wanted: Wanted): Correction | undefined {
  const { content } = text
  if (place.others.length > 0 || content.length > maxComparedUnits) return undefined
  const newString = carryOver(wanted, content.slice(place.start, place.end))
  if (newString === undefined) return undefined
  const correction = makeUnique(content, place, newString)
  if (correction === undefined || text.hasUndecodable(correction.start, correction.end)) return undefined
  const { oldString } = correction
  if (withLineFeeds(oldString) === withLineFeeds(correction.newString)) return undefined
  if (correction.newString === wanted.newString) return { oldString }
  return correction.newString.length > maxCorrectedUnits ? undefined : { oldString, newString: correction.newString }
}

/** The new text as it fits these lines of the file; undefined when one of its lines has no certain form there. */
function carryOver(wanted: Wanted, found: string): string | undefined {
  const [asked, next, file] = [wanted.oldString, wanted.newString, found].map(splitLines) as [Lines, Lines, Lines]
  // The last line of the file may lack the line break that both texts have.
  if (asked.at(-1) === "" && asked.length === file.length + 1 && next.length > 1 && next.at(-1) === "") {
    asked.pop()
    next.pop()
  }
  // Line breaks are given out in order: among different ones a line that is kept could get another.
  if (asked.length !== file.length || new Set(lineEndingsOf(found)).size > 1) return undefined
  const pairs = pairLines(asked, file)
  if (pairs === undefined) return undefined
  const carried: string[] = []
  for (const line of next) {
    const indent = pairs.indents.get(indentOf(line))
    const kept = pairs.lines.get(line) ?? (line.trim() === "" ? line : undefined)
    if (kept === undefined && indent === undefined) return undefined
    carried.push(kept ?? indent + line.slice(indentOf(line).length))
  }
  return carried.join("\n")
}

type Lines = string[]

function splitLines(text: string): Lines {
  return [...linesOf(text)].map(([start, end]) => text.slice(start, end))
}

/** Which line of the file each asked line means, and which indentation; undefined when one would mean two. */
function pairLines(asked: Lines, file: Lines) {
  const lines = new Map<string, string>()
  const indents = new Map<string, string | undefined>()
  for (const [index, line] of asked.entries()) {
    const there = file[index]!
    if (!differsInWordsOnly(line, there) || (lines.get(line) ?? there) !== there) return undefined
    lines.set(line, there)
    if (line.trim() === "") continue
    const [from, to] = [indentOf(line), indentOf(there)]
    indents.set(from, indents.has(from) && indents.get(from) !== to ? undefined : to)
  }
  return { lines, indents }
}

/** True for a line that was misremembered; one that has more words than were asked for would lose them. */
function differsInWordsOnly(asked: string, there: string): boolean {
  if (keyOf(asked) === keyOf(there)) return true
  const [left, right] = [comparable(keyOf(asked)), comparable(keyOf(there))]
  return left.wordCount === right.wordCount && lineSimilarity(left, right) >= 0.5
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0]
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n")
}

interface Unique extends Region {
  readonly oldString: string
  readonly newString: string
}

/** Adds whole lines to both texts until the old one occurs once; undefined when that takes too many. */
function makeUnique(content: string, place: Region, newString: string): Unique | undefined {
  let { start, end } = place
  while (end - start <= maxCorrectedUnits) {
    const oldString = content.slice(start, end)
    if (oldString !== "" && content.indexOf(oldString) === content.lastIndexOf(oldString)) {
      const around = content.slice(start, place.start) + newString + content.slice(place.end, end)
      return { start, end, oldString, newString: around }
    }
    if (start === 0 && end === content.length) return undefined
    // Doubles, so that a file of equal lines is left after a few rounds.
    const lines = Math.max(1, Math.ceil((end - start) / 80))
    start = backByLines(content, start, lines)
    end = onByLines(content, end, lines)
  }
  return undefined
}

function backByLines(content: string, place: number, lines: number): number {
  let at = place
  for (let count = 0; count < lines && at > 0; count += 1) at = content.lastIndexOf("\n", at - 2) + 1
  return Math.max(0, at)
}

function onByLines(content: string, place: number, lines: number): number {
  let at = place
  for (let count = 0; count < lines && at < content.length; count += 1) {
    const feed = content.indexOf("\n", at)
    at = feed === -1 ? content.length : feed + 1
  }
  return at
}
