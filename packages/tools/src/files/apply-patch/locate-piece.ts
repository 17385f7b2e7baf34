import { ToolError } from "@haft/contract"
import { collapsed, withoutTrailingBlanks } from "../shared/diff/check-hunk.js"
import { findSequence } from "../shared/find-sequence.js"
import { describeDifference } from "../shared/similar/describe-difference.js"
import { nearestRegion } from "../shared/similar/nearest-region.js"
import type { Piece } from "./file-patch.js"

/** The lines of a file, ready to be searched. */
export interface SearchedFile {
  readonly path: string
  readonly content: string
  /** Each line made comparable; the length says how many lines there are. */
  readonly keys: readonly string[]
}

/** A piece, its number in the file, and the first line where it may be. */
export interface PieceSearch {
  readonly piece: Piece
  readonly number: number
  /** Counted from 0. */
  readonly from: number
}

/** What is compared of a line: not its carriage return, nor how many U+FFFD stray bytes became. */
export function lineKey(text: string): string {
  return collapsed(text.endsWith("\r") ? text.slice(0, -1) : text)
}

/** The one line of a piece, counted from 0; none and several are a `conflict`. */
export function locatePiece(file: SearchedFile, search: PieceSearch): number {
  const { piece, from } = search
  const old = piece.lines.filter(({ sign }) => sign !== "+").map(({ text }) => lineKey(text))
  const starts = anchoredStarts(file, piece.anchors, from)
  if (starts.length === 0) throw missingAnchor(file, search)
  const all = old.length === 0 ? [] : placesOf(old, file.keys)
  const places = old.length === 0 ? insertions(file, piece, starts) : reachable(file, { all, starts, old, piece })
  if (places.length === 1) return places[0]!
  if (places.length > 1) throw ambiguous(file, search, places)
  throw notFound(file, search, all)
}

/** Where these lines are exactly; where they do so nowhere, the places where only trailing blanks differ. */
function placesOf(old: readonly string[], keys: readonly string[]): readonly number[] {
  const exact = findSequence(keys, old)
  return exact.length > 0 ? exact : findSequence(keys.map(withoutTrailingBlanks), old.map(withoutTrailingBlanks))
}

/** Where the search may begin: behind each occurrence of the anchors, or at the line before which nothing may change. */
function anchoredStarts({ keys }: SearchedFile, anchors: readonly string[], from: number): readonly number[] {
  let starts: readonly number[] = [from]
  for (const [index, anchor] of anchors.entries()) {
    const exact = linesAfter(keys, starts[0]!, (key) => key === anchor)
    // Anchors name a function or a class, often without the blanks before it.
    const found = exact.length > 0 ? exact : linesAfter(keys, starts[0]!, (key) => key.trim() === anchor.trim())
    // An anchor inside another one is the next of its kind behind that.
    starts = index === 0 ? found : firstAfterEach(starts, found)
    if (starts.length === 0) return []
  }
  return starts
}

function linesAfter(keys: readonly string[], from: number, matches: (key: string) => boolean): number[] {
  const found: number[] = []
  for (let at = from; at < keys.length; at += 1) if (matches(keys[at]!)) found.push(at + 1)
  return found
}

/** For each start the first place behind it; both lists rise. */
function firstAfterEach(starts: readonly number[], places: readonly number[]): readonly number[] {
  const nearest = new Set<number>()
  let at = 0
  for (const start of starts) {
    while (at < places.length && places[at]! < start) at += 1
    if (at < places.length) nearest.add(places[at]!)
  }
  return [...nearest]
}

interface Candidates {
  readonly all: readonly number[]
  readonly starts: readonly number[]
  readonly old: readonly string[]
  readonly piece: Piece
}

/** Without anchors every place behind the last change counts, with anchors the first behind each of them. */
function reachable({ keys }: SearchedFile, { all, starts, old, piece }: Candidates): readonly number[] {
  const fitting = piece.atEnd ? all.filter((place) => place + old.length === keys.length) : all
  if (piece.anchors.length === 0) return fitting.filter((place) => place >= starts[0]!)
  // An anchor may be repeated as the first line of the context.
  return firstAfterEach(
    starts.map((start) => start - 1),
    fitting,
  )
}

function insertions({ keys }: SearchedFile, { atEnd }: Piece, starts: readonly number[]): readonly number[] {
  return atEnd ? [keys.length] : starts
}

function missingAnchor({ path }: SearchedFile, { piece, number }: PieceSearch): ToolError {
  const anchors = piece.anchors.map((anchor) => JSON.stringify(anchor)).join(", ")
  return conflict(path, { piece, number }, `the line ${anchors} after @@ does not occur where it should`)
}

function ambiguous({ path }: SearchedFile, search: PieceSearch, places: readonly number[]): ToolError {
  const lines = places.slice(0, 10).map((place) => place + 1)
  const more = places.length > 10 ? " and more" : ""
  const reason = `its lines occur ${places.length} times, at lines ${lines.join(", ")}${more}`
  return conflict(path, search, `${reason}; add surrounding lines or an @@ line`, { lines })
}

function notFound({ path, content }: SearchedFile, search: PieceSearch, all: readonly number[]): ToolError {
  const { piece } = search
  if (all.length > 0) {
    const where = `its lines are only at line ${all[0]! + 1}`
    const reason = piece.atEnd ? `${where}, not at the end of the file` : `${where}, before the change that precedes it`
    return conflict(path, search, `${reason}; put the hunks in the order of the file`, { lines: [all[0]! + 1] })
  }
  const asked = piece.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text)
  const region = nearestRegion(content, asked.join("\n"))
  if (!region) return conflict(path, search, "its lines do not occur in the file, and nothing similar does")
  const startLine = lineOf(content, region.start)
  const endLine = lineOf(content, Math.max(region.start, region.end - 1))
  const text = content.slice(region.start, region.end)
  const { summary, diff } = describeDifference(asked.join("\n"), text, startLine)
  const where = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`
  return conflict(
    path,
    search,
    `its lines do not occur in the file; the nearest text is at ${where}, ${summary} (- as sent, + as in the file):\n${diff}`,
    { nearest: { start_line: startLine, end_line: endLine, text: text.slice(0, shownUnits) } },
  )
}

const shownUnits = 8_192

function conflict(
  path: string,
  { piece, number }: Pick<PieceSearch, "piece" | "number">,
  reason: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  return new ToolError(
    "conflict",
    `Cannot patch "${path}": hunk ${number} (line ${piece.patchLine} of the patch) has no place: ${reason}`,
    {
      hint: "Read the file again and make the patch from its present lines; nothing was changed",
      details: { path, hunk: number, patch_line: piece.patchLine, ...details },
    },
  )
}

function lineOf(content: string, place: number): number {
  let line = 1
  for (let at = content.indexOf("\n"); at !== -1 && at < place; at = content.indexOf("\n", at + 1)) line += 1
  return line
}
