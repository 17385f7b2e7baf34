/** Cells of the table after which a comparison is too dear. */
const maxCells = 400_000

/** Which ends of the text are given and which are looked for. */
export type OpenEnds = "start" | "end" | "both"

/**
 * The piece of `text` with the least edit distance to `pattern`. With "start" it reaches to the end of the text, with
 * "end" it begins at its beginning. Texts that are too long to compare are returned whole.
 */
export function closestPiece(text: string, pattern: string, open: OpenEnds): { start: number; end: number } {
  if (text.length * pattern.length > maxCells) return { start: 0, end: text.length }
  if (open === "end") return { start: 0, end: closestEnd(text, pattern, false) }
  const end = open === "start" ? text.length : closestEnd(text, pattern, true)
  const start = end - closestEnd(reversed(text.slice(0, end)), reversed(pattern), false)
  return { start, end }
}

/** Where the piece ends that is nearest to the pattern; with `anywhere` it may begin anywhere (Sellers' algorithm). */
function closestEnd(text: string, pattern: string, anywhere: boolean): number {
  let row = Array.from({ length: text.length + 1 }, (_, column) => (anywhere ? 0 : column))
  for (let line = 1; line <= pattern.length; line += 1) {
    const next = [line]
    const code = pattern.charCodeAt(line - 1)
    for (let column = 1; column <= text.length; column += 1) {
      const kept = row[column - 1]! + (text.charCodeAt(column - 1) === code ? 0 : 1)
      next.push(Math.min(kept, row[column]! + 1, next[column - 1]! + 1))
    }
    row = next
  }
  let best = 0
  for (let column = 1; column <= text.length; column += 1) {
    const nearer = Math.abs(column - pattern.length) < Math.abs(best - pattern.length)
    if (row[column]! < row[best]! || (row[column] === row[best] && nearer && !anywhere)) best = column
  }
  return best
}

function reversed(text: string): string {
  let result = ""
  for (let at = text.length - 1; at >= 0; at -= 1) result += text[at]
  return result
}
