/** Draws what a terminal shows as SVG: text as text, so that the picture is small, sharp, and the same on every machine. */
export function terminalPicture(shown: string): string {
  const rows = screenRows(shown)
  const columns = Math.max(...rows.map((row) => row.reduce((sum, { text }) => sum + text.length, 0)))
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = rows.length * cell.height + 2 * margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre}`,
    `.bold{font-weight:700;fill:#fff}.dim{fill:#8b95a7}.red{fill:#f08a8a}.green{fill:#8fd18f}.yellow{fill:#e5c07b}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1c2028"/>`,
    ...rows.flatMap(rowText),
    "</svg>",
    "",
  ].join("\n")
}

interface Run {
  readonly text: string
  readonly look: string
}

const cell = { width: 8.4, height: 20 }
const margin = 16

// What the command sets and takes back; anything else would be drawn wrong, so it is refused.
const looks: Readonly<Record<string, string>> = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow" }
const plainAgain = new Set(["0", "22", "39"])

function screenRows(shown: string): readonly (readonly Run[])[] {
  const rows: Run[][] = [[]]
  let look = ""
  for (const [piece, style, other] of shown.matchAll(/\u001b\[(\d+)m|\u001b\[\?2004[hl]|\r\n|([^\u001b\r]+|[\s\S])/g)) {
    if (piece === "\r\n") rows.push([])
    else if (style !== undefined) look = lookAfter(style)
    else if (other !== undefined) rows.at(-1)!.push({ text: printable(other), look })
  }
  while (rows.length > 0 && rows.at(-1)!.length === 0) rows.pop()
  return rows
}

function lookAfter(style: string): string {
  if (plainAgain.has(style)) return ""
  const look = looks[style]
  if (look === undefined) throw new Error(`Cannot draw the style "${style}": the picture does not know it`)
  return look
}

function printable(text: string): string {
  if (/\p{Control}/u.test(text)) throw new Error(`Cannot draw ${JSON.stringify(text)}: the picture moves no cursor`)
  return text
}

/** Each run has its place and its width, so that columns stay columns in every font. */
function rowText(row: readonly Run[], index: number): readonly string[] {
  const y = margin + index * cell.height + 15
  let column = 0
  return row.flatMap(({ text, look }) => {
    const indent = text.length - text.trimStart().length
    const words = text.trim()
    const x = rounded(margin + (column + indent) * cell.width)
    column += text.length
    if (words === "") return []
    const kind = look === "" ? "" : ` class="${look}"`
    return [
      `<text x="${x}" y="${y}" textLength="${rounded(words.length * cell.width)}"${kind}>${escaped(words)}</text>`,
    ]
  })
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
