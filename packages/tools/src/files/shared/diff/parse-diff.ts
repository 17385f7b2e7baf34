import { ToolError } from "@haft/contract"
import { unwrapPatch } from "./unwrap-patch.js"

/** One line of a hunk. */
export interface DiffLine {
  readonly sign: " " | "-" | "+"
  /** Without the line feed; a carriage return before it belongs to the text. */
  readonly text: string
  /** False when "\ No newline at end of file" follows. */
  readonly hasLineFeed: boolean
}

/** One hunk with its ranges; a range of no lines is numbered by the line before it. */
export interface DiffHunk {
  readonly header: string
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  readonly lines: readonly DiffLine[]
}

const headerPattern = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

/** Reads the hunks of a unified diff for one file; text before the first one is ignored. */
export function parseDiff(diff: string): readonly DiffHunk[] {
  const lines = unwrapPatch(linesOfDiff(diff), malformed)
  const from = lines.findIndex((line) => line.startsWith("@@"))
  if (from === -1) throw malformed("it has no hunk; a hunk begins with @@ -1,3 +1,4 @@")
  const { hunks, next } = parseHunks(lines, from)
  checkRest(lines, next, hunks)
  return hunks
}

/** Reads the hunks that follow one another from a line on, and says which line comes after them. */
export function parseHunks(
  lines: readonly string[],
  from: number,
): { readonly hunks: readonly DiffHunk[]; readonly next: number } {
  const hunks: DiffHunk[] = []
  let at = from
  while (at < lines.length && lines[at]!.startsWith("@@")) {
    const hunk = parseHunk(lines, at, hunks.length + 1)
    checkOrder(hunk.hunk, hunks)
    hunks.push(hunk.hunk)
    at = hunk.next
  }
  return { hunks, next: at }
}

/** A diff whose very headers end in CRLF was carried in CRLF: the carriage returns are none of the file's. */
function linesOfDiff(diff: string): readonly string[] {
  const lines = diff.split("\n")
  if (lines.at(-1) === "") lines.pop()
  const carried = lines.find((line) => line.startsWith("@@"))?.endsWith("\r") ?? false
  return carried ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines
}

function parseHunk(lines: readonly string[], at: number, number: number): { hunk: DiffHunk; next: number } {
  const header = lines[at]!
  const ranges = headerPattern.exec(header)
  if (ranges === null)
    throw malformed(`hunk ${number} has no valid header, "${header}"; it must look like @@ -1,3 +1,4 @@`)
  const [oldStart, oldCount, newStart, newCount] = [1, 2, 3, 4].map((group) => Number(ranges[group] ?? 1)) as Four
  const body: DiffLine[] = []
  let next = at + 1
  let old = 0
  let now = 0
  while (next < lines.length && (old < oldCount || now < newCount)) {
    const line = parseLine(lines[next]!)
    if (line === undefined) break
    if (line.sign !== "+") old += 1
    if (line.sign !== "-") now += 1
    next += 1
    const marked = lines[next]?.startsWith("\\") ?? false
    if (marked) next += 1
    body.push({ ...line, hasLineFeed: !marked })
  }
  const rest = surplus(lines, next)
  old += rest.old
  now += rest.now
  if (old !== oldCount || now !== newCount) {
    const counts = `has ${old} old and ${now} new lines, its header says ${oldCount} and ${newCount}`
    throw malformed(`hunk ${number} (${header}) ${counts}; correct the header or the lines`)
  }
  return { hunk: { header, oldStart, oldCount, newStart, newCount, lines: body }, next }
}

type Four = [number, number, number, number]

function parseLine(line: string): Omit<DiffLine, "hasLineFeed"> | undefined {
  // Some editors trim the blank of an empty context line, and git reads it as one.
  if (line === "") return { sign: " ", text: "" }
  const sign = line[0]
  return sign === " " || sign === "-" || sign === "+" ? { sign, text: line.slice(1) } : undefined
}

/** Lines that look like more of the hunk than its header counts. */
function surplus(lines: readonly string[], from: number): { readonly old: number; readonly now: number } {
  let old = 0
  let now = 0
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line === "-- " || (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ "))) break
    if (!/^[-+ ]/.test(line)) break
    if (line[0] !== "+") old += 1
    if (line[0] !== "-") now += 1
  }
  return { old, now }
}

/** Ranges rise, do not overlap, and the new side is the old side moved by what earlier hunks added and removed. */
function checkOrder(hunk: DiffHunk, before: readonly DiffHunk[]): void {
  const number = before.length + 1
  const last = before.at(-1)
  if (last !== undefined && firstOldLine(hunk) < firstOldLine(last) + last.oldCount) {
    throw malformed(
      `hunk ${number} (${hunk.header}) begins before the end of hunk ${number - 1}; put the hunks in order`,
    )
  }
  if (hunk.oldCount > 0 && hunk.oldStart === 0) {
    throw malformed(`hunk ${number} (${hunk.header}) begins at line 0; lines are counted from 1`)
  }
  const shift = before.reduce((sum, { oldCount, newCount }) => sum + newCount - oldCount, 0)
  const newFirst = hunk.newCount === 0 ? hunk.newStart + 1 : hunk.newStart
  if (newFirst !== firstOldLine(hunk) + shift) {
    const expected = firstOldLine(hunk) + shift - (hunk.newCount === 0 ? 1 : 0)
    throw malformed(`hunk ${number} (${hunk.header}) must begin at +${expected} after the hunks before it`)
  }
}

/** The first old line that a hunk covers, or would be put before. */
export function firstOldLine({ oldStart, oldCount }: DiffHunk): number {
  return oldCount === 0 ? oldStart + 1 : oldStart
}

/** After the hunks there may be blank lines and the signature of a mail; another file is too much. */
function checkRest(lines: readonly string[], from: number, hunks: readonly DiffHunk[]): void {
  const rest = lines.slice(from)
  if (rest.some((line) => line.startsWith("diff --git ") || line.startsWith("@@ -") || line.startsWith("+++ "))) {
    throw malformed("it changes more than one file; send one call a file")
  }
  const stray = rest[0]
  if (stray === undefined || stray.trim() === "" || stray === "-- ") return
  throw malformed(`the line "${stray}" after hunk ${hunks.length} belongs to no hunk; remove it`)
}

function malformed(reason: string, diffLine?: number): ToolError {
  const where = diffLine === undefined ? "" : `line ${diffLine}: `
  return new ToolError("invalid_args", `Cannot use the diff: ${where}${reason}`, {
    hint: "Send a unified diff of one file, as git diff prints it",
  })
}
