import { ToolError } from "@haft/contract"
import { encodeText } from "../text/codec.js"
import { detectEncoding } from "../text/encoding.js"
import { type ByteEdit, maxTextBytes, openText, splice, type Text } from "../text/open-text.js"
import { checkHunk } from "./check-hunk.js"
import { type FileLine, fileLines } from "./file-lines.js"
import { type DiffHunk, type DiffLine, firstOldLine } from "./parse-diff.js"

/** Hunks, or what makes them when the text is known. */
export type HunkSource = readonly DiffHunk[] | ((text: Text) => readonly DiffHunk[])

/** Applies every hunk exactly where it says, or none. Bytes of lines that are not removed stay the same. */
export async function applyDiff(bytes: Uint8Array, source: HunkSource, path: string): Promise<Uint8Array> {
  const detected = await detectEncoding(bytes)
  if (detected === "binary") {
    throw new ToolError("unsupported", `Cannot patch "${path}": the file is binary`, {
      hint: "A unified diff describes lines of text",
    })
  }
  const text = await openText(bytes, detected)
  const lines = fileLines(text)
  const hunks = typeof source === "function" ? source(text) : source
  const edits: ByteEdit[] = []
  for (const [index, hunk] of hunks.entries()) {
    const place = { path, number: index + 1 }
    checkHunk(hunk, lines, place)
    // A hunk that differs from the file in carriage returns was made without regard to them; else it means what it says.
    const literal = fitsToTheByte(hunk, lines)
    for (const run of runsOf(hunk)) edits.push(await editOf(run, { text, lines, literal }))
  }
  const result = splice(bytes, edits)
  if (result.length <= maxTextBytes) return result
  throw new ToolError(
    "too_large",
    `Cannot patch "${path}": it would have ${result.length} bytes, ${maxTextBytes} are allowed`,
    { hint: "Split the file" },
  )
}

/** Removed and added lines with nothing kept in between; `at` is the index of the first old line. */
interface Run {
  readonly at: number
  readonly removed: number
  readonly added: readonly DiffLine[]
}

function runsOf(hunk: DiffHunk): readonly Run[] {
  const runs: Run[] = []
  let line = firstOldLine(hunk) - 1
  let open: { at: number; removed: number; added: DiffLine[] } | undefined
  for (const entry of hunk.lines) {
    if (entry.sign === " ") {
      open = undefined
      line += 1
      continue
    }
    if (open === undefined) {
      open = { at: line, removed: 0, added: [] }
      runs.push(open)
    }
    if (entry.sign === "+") open.added.push(entry)
    else {
      open.removed += 1
      line += 1
    }
  }
  return runs
}

function fitsToTheByte(hunk: DiffHunk, lines: readonly FileLine[]): boolean {
  const first = firstOldLine(hunk) - 1
  const old = hunk.lines.filter(({ sign }) => sign !== "+")
  if (old.length > 0)
    return old.every(({ text }, index) => text.endsWith("\r") === lines[first + index]!.text.endsWith("\r"))
  // Without a line to compare with, the neighbour tells.
  return hunk.lines.some(({ text }) => text.endsWith("\r")) || !(lines[first - 1] ?? lines[first])?.text.endsWith("\r")
}

interface Target {
  readonly text: Text
  readonly lines: readonly FileLine[]
  readonly literal: boolean
}

async function editOf({ at, removed, added }: Run, { text, lines, literal }: Target): Promise<ByteEdit> {
  const start = lines[at]?.start ?? lines.at(-1)?.end ?? 0
  const end = removed === 0 ? start : lines[at + removed - 1]!.end
  const pieces = added.map((line, index) => {
    if (literal || !line.hasLineFeed) return line.hasLineFeed ? `${line.text}\n` : line.text
    const bare = line.text.endsWith("\r") ? line.text.slice(0, -1) : line.text
    return bare + (endsInCarriage(lines, at, removed, index) ? "\r\n" : "\n")
  })
  const bytes = await encodeText(pieces.join(""), text.encoding)
  return { start: text.byteAt(start), end: text.byteAt(end), bytes }
}

/** The line break of the removed line that an added one replaces, else of the nearest line. */
function endsInCarriage(lines: readonly FileLine[], at: number, removed: number, index: number): boolean {
  const partner = removed > 0 ? lines[at + Math.min(index, removed - 1)] : undefined
  const neighbours = [partner, lines[at - 1], lines[at + removed]]
  return neighbours.find((line) => line?.hasLineFeed)?.text.endsWith("\r") ?? false
}
