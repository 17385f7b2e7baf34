/** Some lines of a text. */
export interface LineSlice {
  readonly content: string
  readonly start_line: number
  readonly line_count: number
  readonly eof: boolean
  readonly total_lines?: number
}

/** Whole lines from `offset`, at most `limit` and within `maxBytes` of UTF-8; a first line that is longer alone is cut. */
export function sliceLines(
  text: string,
  { offset, limit, maxBytes }: { readonly offset: number; readonly limit: number; readonly maxBytes: number },
): LineSlice {
  const lines = linesOf(text)
  const taken: string[] = []
  let room = maxBytes
  for (const line of lines.slice(offset, offset + limit)) {
    const size = new TextEncoder().encode(line).length
    if (size > room && taken.length > 0) break
    taken.push(size > room ? cut(line, room) : line)
    room -= size
    if (room <= 0) break
  }
  const eof = offset + taken.length >= lines.length
  return {
    content: taken.join(""),
    start_line: taken.length === 0 ? 0 : offset + 1,
    line_count: taken.length,
    eof,
    ...(eof && { total_lines: lines.length }),
  }
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function cut(line: string, maxBytes: number): string {
  // Any unit of a string has at most three bytes.
  return line.slice(0, Math.max(1, Math.floor(maxBytes / 3))).replace(/[\ud800-\udbff]$/, "")
}
