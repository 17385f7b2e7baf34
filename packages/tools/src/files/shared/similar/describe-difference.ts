import { linesOf } from "../text/lines.js"

/** Enough to see what is wrong; the whole text can be read with read. */
const shownLines = 24
const shownUnits = 200

/** The asked lines against those of the file as a small diff with line numbers, and in a word how they differ. */
export function describeDifference(
  asked: string,
  found: string,
  startLine: number,
): { readonly summary: string; readonly diff: string } {
  const askedLines = cutLines(asked)
  const foundLines = cutLines(found)
  const rows: string[] = []
  for (const row of compareLines(askedLines, foundLines)) {
    const number = row.line === undefined ? "" : String(startLine + row.line)
    rows.push(`${row.sign} ${number.padStart(6)}\t${row.text}`)
    if (rows.length === 2 * shownLines) break
  }
  return { summary: summaryOf(asked, found), diff: rows.join("\n") }
}

function summaryOf(asked: string, found: string): string {
  const withoutBlanks = (text: string) => text.replace(/\s+/g, "")
  if (withoutBlanks(asked) === withoutBlanks(found)) return "only blanks and line breaks differ"
  if (asked.toLowerCase() === found.toLowerCase()) return "only upper and lower case differ"
  return "it differs as shown"
}

interface Row {
  readonly sign: " " | "-" | "+"
  readonly text: string
  /** Index in the found lines; absent for a line that only the asked text has. */
  readonly line?: number
}

/** Longest common subsequence of two short lists of lines. */
function compareLines(asked: readonly string[], found: readonly string[]): readonly Row[] {
  const width = found.length + 1
  const common = new Uint16Array((asked.length + 1) * width)
  for (let left = asked.length - 1; left >= 0; left -= 1) {
    for (let right = found.length - 1; right >= 0; right -= 1) {
      common[left * width + right] =
        asked[left] === found[right]
          ? common[(left + 1) * width + right + 1]! + 1
          : Math.max(common[(left + 1) * width + right]!, common[left * width + right + 1]!)
    }
  }
  const rows: Row[] = []
  let left = 0
  let right = 0
  while (left < asked.length || right < found.length) {
    if (left < asked.length && right < found.length && asked[left] === found[right]) {
      rows.push({ sign: " ", text: found[right]!, line: right })
      left += 1
      right += 1
    } else if (
      left < asked.length &&
      (right === found.length || common[(left + 1) * width + right]! >= common[left * width + right + 1]!)
    ) {
      rows.push({ sign: "-", text: asked[left]! })
      left += 1
    } else {
      rows.push({ sign: "+", text: found[right]!, line: right })
      right += 1
    }
  }
  return rows
}

function cutLines(text: string): string[] {
  const lines: string[] = []
  for (const [start, end] of linesOf(text)) {
    if (lines.length === shownLines) break
    const whole = text.slice(start, end)
    lines.push(whole.length > shownUnits ? `${whole.slice(0, shownUnits)}…` : whole)
  }
  return lines
}
