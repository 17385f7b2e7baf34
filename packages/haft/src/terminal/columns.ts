/** Rows as aligned columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string {
  const widths = widthsOf(rows)
  const line = (row: readonly string[]) => row.map((cell, index) => padded(cell, (widths[index] ?? 0) + gap)).join("")
  return rows.map((row) => line(row).trimEnd()).join("\n")
}

/** The text in lines of at most `maxWidth`, broken at spaces. */
export function wrap(text: string, maxWidth: number): readonly string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > maxWidth) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (index < row.length - 1) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))
    }
  }
  return widths
}

function padded(cell: string, size: number): string {
  return cell + " ".repeat(Math.max(0, size - widthOf(cell)))
}

// Colour takes no room on the screen.
function widthOf(cell: string): number {
  return cell.replace(/\u001b\[\d+m/g, "").length
}
