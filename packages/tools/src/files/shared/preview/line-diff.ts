import type { Hunk } from "@haft/contract"

/** What differs between two texts, line by line. */
export interface LineDiff {
  readonly hunks: readonly Hunk[]
  readonly added: number
  readonly removed: number
}

const contextLines = 3
// Two texts without a common line would otherwise take quadratic time; nobody reads a diff with more changes.
const maxEditLength = 2_000
const timeoutMs = 200

/** The hunks that make one text of the other. Where the texts differ too much, all lines go and all lines come. */
export async function lineDiff(before: string, after: string): Promise<LineDiff> {
  const { start, endBefore, endAfter } = differingLines(before, after)
  const { structuredPatch } = await import("diff")
  const [old, now] = [before.slice(start, endBefore), after.slice(start, endAfter)]
  const options = { context: contextLines, maxEditLength, timeout: timeoutMs }
  const patch = structuredPatch("", "", old, now, undefined, undefined, options)
  const first = countLineFeeds(before, start)
  const hunks = (patch?.hunks ?? [wholeHunk(old, now)]).map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    // By the convention of unified diffs an empty side is numbered by the line before it.
    oldStart: oldStart + first - (oldLines === 0 ? 1 : 0),
    oldLines,
    newStart: newStart + first - (newLines === 0 ? 1 : 0),
    newLines,
    lines,
  }))
  return { hunks, added: signed(hunks, "+"), removed: signed(hunks, "-") }
}

/** The part that differs with its context: whole lines, so that large files are not compared line by line. */
function differingLines(before: string, after: string) {
  const most = Math.min(before.length, after.length)
  let same = 0
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1
  let tail = 0
  while (
    tail < most - same &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1
  }
  let start = lineStart(before, same)
  for (let line = 0; line < contextLines && start > 0; line += 1) start = lineStart(before, start - 1)
  let end = lineEnd(before, before.length - tail)
  for (let line = 0; line < contextLines && end < before.length; line += 1) end = lineEnd(before, end)
  return { start, endBefore: end, endAfter: end + after.length - before.length }
}

function lineStart(text: string, at: number): number {
  // Before the beginning `lastIndexOf` looks at the first character.
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from)
  return feed === -1 ? text.length : feed + 1
}

function wholeHunk(old: string, now: string): Hunk {
  const [gone, come] = [signedLines(old, "-"), signedLines(now, "+")]
  const count = (lines: readonly string[]) => lines.filter((line) => !line.startsWith("\\")).length
  const [oldLines, newLines] = [count(gone), count(come)]
  return { oldStart: 1, oldLines, newStart: 1, newLines, lines: [...gone, ...come] }
}

function signedLines(text: string, sign: "-" | "+"): readonly string[] {
  if (text === "") return []
  const lines = text.split("\n").map((line) => sign + line)
  if (text.endsWith("\n")) return lines.slice(0, -1)
  return [...lines, "\\ No newline at end of file"]
}

function countLineFeeds(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

function signed(hunks: readonly Hunk[], sign: "-" | "+"): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
}
