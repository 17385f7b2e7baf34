import type { Hunk } from "@haft/contract"
import type { LineSource } from "./text/lines.js"

/** A span of a text and what takes its place. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly text: string
}

const contextLines = 3
/** Hunks are drawn for people: beyond these numbers nobody looks. */
const maxHunks = 40
const maxRegionUnits = 32_768
const maxLineUnits = 4_096

/** The hunks of a change, made of the changed lines and their surroundings only; changes are in order. */
export function changeHunks(source: LineSource, changes: readonly TextChange[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  let shift = 0
  for (const region of regionsOf(source, changes)) {
    if (hunks.length === maxHunks) break
    const hunk = hunkOf(source, region, source.lineFeedsBefore(region.start) + 1, shift)
    shift += hunk.newLines - hunk.oldLines
    hunks.push(hunk)
  }
  return hunks
}

interface Region {
  readonly start: number
  end: number
  readonly changes: TextChange[]
}

/** Changes whose surroundings touch share a region of whole lines. */
function regionsOf(source: LineSource, changes: readonly TextChange[]): readonly Region[] {
  const regions: Region[] = []
  for (const change of changes) {
    const last = regions.at(-1)
    const start = linesBack(source, change.start)
    const end = linesOn(source, change.end)
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end)
      last.changes.push(change)
    } else {
      if (regions.length > maxHunks) break
      regions.push({ start, end, changes: [change] })
    }
  }
  return regions
}

function hunkOf(source: LineSource, region: Region, line: number, shift: number): Hunk {
  const before = cutText(source.slice(region.start, Math.min(region.end, region.start + maxRegionUnits)))
  let changed = ""
  let from = region.start
  for (const change of region.changes) {
    if (changed.length > maxRegionUnits) break
    changed += source.slice(from, change.start) + change.text.slice(0, maxRegionUnits)
    from = change.end
  }
  if (changed.length <= maxRegionUnits) changed += source.slice(from, region.end)
  const old = linesOf(before, region.end < source.length)
  const now = linesOf(cutText(changed), region.end < source.length)
  const head = commonCount(old, now, (lines, index) => lines[index])
  const tail = Math.min(
    commonCount(old, now, (lines, index) => lines[lines.length - 1 - index]),
    old.length - head,
    now.length - head,
  )
  const marked = [
    ...old.slice(0, head).map((text) => ` ${text}`),
    ...old.slice(head, old.length - tail).map((text) => `-${text}`),
    ...now.slice(head, now.length - tail).map((text) => `+${text}`),
    ...old.slice(old.length - tail).map((text) => ` ${text}`),
  ]
  return {
    // By the convention of unified diffs an empty side is numbered by the line before it.
    oldStart: old.length === 0 ? line - 1 : line,
    oldLines: old.length,
    newStart: (now.length === 0 ? line - 1 : line) + shift,
    newLines: now.length,
    lines: marked.flatMap((text) => text.split("\n")),
  }
}

function cutText(text: string): string {
  return text.slice(0, maxRegionUnits)
}

/** The lines of a region; a region that stops at a line break has no empty line after it. */
function linesOf(text: string, cutAtBreak: boolean): string[] {
  if (text === "") return []
  const lines = text.split("\n")
  if (lines.at(-1) === "") lines.pop()
  else if (!cutAtBreak) lines[lines.length - 1] += "\n\\ No newline at end of file"
  return lines
}

function commonCount(
  old: readonly string[],
  now: readonly string[],
  pick: (lines: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(old.length, now.length)
  let count = 0
  while (count < most && pick(old, count) === pick(now, count)) count += 1
  return count
}

/** Start of the line that is the context before this place; within a very long line, a place not too far away. */
function linesBack(source: LineSource, place: number): number {
  let at = place
  for (let lines = 0; lines <= contextLines; lines += 1) {
    const feed = source.lineFeedBefore(at)
    if (place - feed > maxLineUnits) return Math.max(0, lines === 0 ? place - maxLineUnits : at + 1)
    if (feed === -1) return 0
    at = feed
  }
  return at + 1
}

/** End of the line that is the context after this place, its line break included. */
function linesOn(source: LineSource, place: number): number {
  let at = place
  // After a line break the next line is context already.
  const first = place > 0 && source.codeAt(place - 1) === 10 ? 1 : 0
  for (let lines = first; lines <= contextLines; lines += 1) {
    const feed = source.lineFeedFrom(at)
    if (feed === -1) return Math.min(source.length, place + maxLineUnits)
    if (feed - place > maxLineUnits) return lines === first ? place + maxLineUnits : at
    at = feed + 1
  }
  return at
}
