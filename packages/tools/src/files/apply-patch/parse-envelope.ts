import type { FilePatch, Piece } from "./file-patch.js"
import { malformed } from "./malformed.js"

const endLine = "*** End Patch"

/** Whether a patch of this form begins with this line; models close the stars or leave the blank out. */
export function isBeginLine(line: string): boolean {
  return /^\*\*\* ?Begin Patch(?: ?\*{3})?$/.test(line.trim())
}

function isEndLine(line: string): boolean {
  return /^\*\*\* ?End Patch(?: ?\*{3})?$/.test(line.trim())
}

/** Reads a patch of the Begin Patch form, whose first line is at `from`. */
export function parseEnvelope(lines: readonly string[], from: number): readonly FilePatch[] {
  const end = lines.findLastIndex((line) => line.trim() !== "")
  if (!isEndLine(lines[end]!)) throw malformed(`it does not end with "${endLine}"`, end + 1)
  const files: FilePatch[] = []
  for (let at = from + 1; at < end; ) {
    const stop = nextHeader(lines, at + 1, end)
    files.push(parseSection(lines, at, withoutBlanks(lines, at, stop)))
    at = stop
  }
  return files
}

const fileHeader = /^\*\*\* (Add|Delete|Update) File: (.*)$/

function nextHeader(lines: readonly string[], from: number, end: number): number {
  let at = from
  while (at < end && !fileHeader.test(lines[at]!)) at += 1
  return at
}

/** Empty lines between two files are for the eye. */
function withoutBlanks(lines: readonly string[], from: number, stop: number): number {
  let end = stop
  while (end > from + 1 && lines[end - 1] === "") end -= 1
  return end
}

function parseSection(lines: readonly string[], at: number, stop: number): FilePatch {
  const header = fileHeader.exec(lines[at]!)
  if (!header) {
    throw malformed(`"${shortened(lines[at]!)}" is not a header such as "*** Update File: path"`, at + 1)
  }
  const path = header[2]!.trim()
  if (header[1] === "Add") return parseAdded(lines, { path, from: at + 1, stop })
  if (header[1] === "Update") return parseUpdated(lines, { path, from: at + 1, stop })
  const stray = lines.slice(at + 1, stop).findIndex((line) => line.trim() !== "")
  if (stray !== -1) throw malformed("a file that is deleted has no lines", at + 2 + stray)
  return { action: "delete", path, hunks: undefined }
}

interface Section {
  readonly path: string
  readonly from: number
  readonly stop: number
}

function parseAdded(lines: readonly string[], { path, from, stop }: Section): FilePatch {
  const texts: string[] = []
  for (let at = from; at < stop; at += 1) {
    if (!lines[at]!.startsWith("+")) throw malformed('every line of a new file begins with "+"', at + 1)
    texts.push(lines[at]!.slice(1))
  }
  const header = `@@ -0,0 +1,${texts.length} @@`
  const added = texts.map((text) => ({ sign: "+" as const, text, hasLineFeed: true }))
  const hunk = { header, oldStart: 0, oldCount: 0, newStart: 1, newCount: texts.length, lines: added }
  return { action: "add", path, hunks: texts.length === 0 ? [] : [hunk] }
}

function parseUpdated(lines: readonly string[], { path, from, stop }: Section): FilePatch {
  const moved = /^\*\*\* Move to: (.*)$/.exec(lines[from] ?? "")
  const to = from < stop ? moved?.[1]?.trim() : undefined
  const pieces: Piece[] = []
  for (let at = to === undefined ? from : from + 1; at < stop; ) {
    const { piece, next } = parsePiece(lines, at, stop)
    pieces.push(piece)
    at = next
  }
  if (pieces.length === 0 && to === undefined) throw malformed(`there is no change for "${path}"`, from)
  return { action: "update", path, ...(to !== undefined && { to }), change: { pieces } }
}

function parsePiece(lines: readonly string[], from: number, stop: number): { piece: Piece; next: number } {
  const anchors: string[] = []
  let at = from
  for (; at < stop && lines[at]!.startsWith("@@"); at += 1) {
    const anchor = anchorOf(lines[at]!)
    if (anchor !== "") anchors.push(anchor)
  }
  const body: Piece["lines"][number][] = []
  for (; at < stop && !lines[at]!.startsWith("@@") && !isEndOfFile(lines[at]!); at += 1) {
    const sign = lines[at]! === "" ? " " : lines[at]![0]!
    if (sign !== " " && sign !== "-" && sign !== "+") {
      throw malformed(`"${shortened(lines[at]!)}" begins neither with a blank nor with "-" or "+"`, at + 1)
    }
    body.push({ sign, text: lines[at]!.slice(1) })
  }
  const atEnd = at < stop && isEndOfFile(lines[at]!)
  const piece = { patchLine: from + 1, anchors, lines: body, atEnd }
  checkPiece(piece)
  return { piece, next: atEnd ? at + 1 : at }
}

function checkPiece({ lines, anchors, atEnd, patchLine }: Piece): void {
  if (lines.every(({ sign }) => sign === " ")) throw malformed("the hunk adds and removes nothing", patchLine)
  if (anchors.length > 0 || atEnd || lines.some(({ sign }) => sign !== "+")) return
  throw malformed("the hunk has no line to find its place by; add lines of the file around it", patchLine)
}

/** Line numbers of a unified diff are no line of the file; the place is found by the lines in any case. */
function anchorOf(line: string): string {
  return /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line) ? "" : line.slice(2).replace(/^ /, "").trimEnd()
}

function isEndOfFile(line: string): boolean {
  return line.trimEnd() === "*** End of File"
}

function shortened(line: string): string {
  return line.length > 80 ? `${line.slice(0, 80)}...` : line
}
