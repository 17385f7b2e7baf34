import { ToolError } from "@haft/contract"
import type { FileLine } from "./file-lines.js"
import { type DiffHunk, type DiffLine, firstOldLine } from "./parse-diff.js"

/** How messages call the hunk. */
export interface HunkPlace {
  readonly path: string
  readonly number: number
}

/** Compares a hunk with the lines where it belongs; the first difference is a `conflict` that shows both sides. */
export function checkHunk(hunk: DiffHunk, lines: readonly FileLine[], place: HunkPlace): void {
  const first = firstOldLine(hunk)
  const conflict = conflictIn(hunk, lines, place)
  if (hunk.oldStart === 0 && lines.length > 0) {
    throw conflict(1, "an empty file", `${lines.length} lines`)
  }
  if (first + hunk.oldCount - 1 > lines.length) {
    throw conflict(lines.length + 1, `lines up to ${first + hunk.oldCount - 1}`, `the end after line ${lines.length}`)
  }
  let number = first
  for (const line of hunk.lines) {
    if (line.sign === "+") continue
    const found = lines[number - 1]!
    if (!sameText(line.text, found)) throw conflict(number, quoted(line.text), quoted(found.text))
    if (line.hasLineFeed !== found.hasLineFeed) throw conflict(number, feedWords(line), feedWords(found))
    number += 1
  }
  checkEnd(hunk, number - 1 === lines.length, conflict)
}

/** A line without a line feed can only be the last one of the new file. */
function checkEnd(hunk: DiffHunk, reachesEnd: boolean, conflict: Conflict): void {
  const now = hunk.lines.filter(({ sign }) => sign !== "-")
  const open = now.findIndex(({ hasLineFeed }) => !hasLineFeed)
  if (open === -1 || (open === now.length - 1 && reachesEnd)) return
  throw conflict(hunk.newStart + open, "the last line of the file", "lines after it")
}

/**
 * Blanks that end a line do not count, and carriage returns only where the diff has them; a byte that is no character is
 * shown as U+FFFD.
 */
function sameText(asked: string, found: FileLine): boolean {
  if (asked === found.text) return true
  if (asked.endsWith("\r") && !found.text.endsWith("\r")) return false
  const [left, right] = [asked, found.text].map((text) => withoutTrailingBlanks(withoutCarriage(text))) as [
    string,
    string,
  ]
  return left === right || (found.lossy && collapsed(left) === collapsed(right))
}

function withoutCarriage(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text
}

/** A line as it is compared where blanks that end it do not count. */
export function withoutTrailingBlanks(line: string): string {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1
  return end === line.length ? line : line.slice(0, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Decoders differ in how many U+FFFD they make of a few stray bytes. */
export function collapsed(text: string): string {
  return text.replace(/\ufffd+/g, "\ufffd")
}

type Conflict = (line: number, expected: string, found: string) => ToolError

function conflictIn(hunk: DiffHunk, lines: readonly FileLine[], { path, number }: HunkPlace): Conflict {
  return (line, expected, found) =>
    new ToolError(
      "conflict",
      `Cannot patch "${path}": hunk ${number} (${hunk.header}) does not fit at line ${line}, expected ${expected}, found ${found}; nothing was changed`,
      {
        hint: `${movedHint(hunk, lines)}Read the file again and make the diff from its present lines`,
        details: { hunk: number, line, expected, found },
      },
    )
}

/** Where the same lines are now, when they are somewhere else exactly once. */
function movedHint(hunk: DiffHunk, lines: readonly FileLine[]): string {
  const old = hunk.lines.filter(({ sign }) => sign !== "+")
  if (old.length === 0 || old.length * lines.length > 20_000_000) return ""
  const fits = (at: number) => old.every(({ text }, index) => sameText(text, lines[at + index]!))
  const places: number[] = []
  for (let at = 0; at + old.length <= lines.length && places.length < 2; at += 1) if (fits(at)) places.push(at + 1)
  return places.length === 1 ? `The lines of the hunk are now at line ${places[0]}. ` : ""
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

function feedWords({ hasLineFeed }: Pick<DiffLine, "hasLineFeed">): string {
  return hasLineFeed ? "a line break at its end" : "no line break at its end (\\ No newline at end of file)"
}
