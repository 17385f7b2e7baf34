/** A block of a Markdown text. */
export type Block =
  | { readonly type: "heading"; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly type: "paragraph"; readonly inline: readonly Inline[] }
  /** `language` is all that follows the fence; its first word is the language. */
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | { readonly type: "list"; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | {
      readonly type: "table"
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly Inline[])[][]
    }
  | { readonly type: "rule" }

/** A piece of a line. */
export type Inline =
  | { readonly type: "text" | "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "strike"; readonly inline: readonly Inline[] }
  | { readonly type: "link"; readonly address: string; readonly inline: readonly Inline[] }
  | { readonly type: "image"; readonly address: string; readonly text: string }

const maxDepth = 8
const maxLines = 5000

/** Reads the Markdown that models and pages write. Never throws; what is not understood stays text. HTML is text. */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.split(/\r\n|\n|\r/)
  return new BlockReader(lines.slice(0, maxLines), 0).read()
}

class BlockReader {
  private at = 0

  constructor(
    private readonly lines: readonly string[],
    private readonly depth: number,
  ) {}

  read(): Block[] {
    const blocks: Block[] = []
    while (this.at < this.lines.length) {
      const line = this.lines[this.at]!
      if (line.trim() === "") this.at += 1
      else blocks.push(this.readBlock(line))
    }
    return blocks
  }

  private readBlock(line: string): Block {
    const fence = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(line)
    if (fence) return this.readCode(fence[1] ?? fence[3]!, (fence[2] ?? fence[4]!).trim())
    const heading = /^ {0,3}(#{1,6}) +(.*)$/.exec(line)
    if (heading) {
      this.at += 1
      return { type: "heading", level: heading[1]!.length, inline: parseInline(heading[2]!.replace(/ +#+ *$/, "")) }
    }
    if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) {
      this.at += 1
      return { type: "rule" }
    }
    if (this.depth < maxDepth && /^ {0,3}>/.test(line)) return this.readQuote()
    if (this.depth < maxDepth && itemStart(line)) return this.readList(line)
    if (this.isTable()) return this.readTable()
    return this.readParagraph()
  }

  private readCode(fence: string, language: string): Block {
    const from = this.at + 1
    const close = this.lines.findIndex((line, index) => index >= from && line.trim().startsWith(fence))
    const end = close < 0 ? this.lines.length : close
    this.at = end + 1
    return { type: "code", language, text: this.lines.slice(from, end).join("\n") }
  }

  private readQuote(): Block {
    const inner: string[] = []
    while (this.at < this.lines.length && /^ {0,3}>/.test(this.lines[this.at]!)) {
      inner.push(this.lines[this.at]!.replace(/^ {0,3}> ?/, ""))
      this.at += 1
    }
    return { type: "quote", blocks: new BlockReader(inner, this.depth + 1).read() }
  }

  private readList(first: string): Block {
    const ordered = /^\s*\d/.test(first)
    const indent = /^ */.exec(first)![0].length
    const items: Block[][] = []
    for (let start = itemStart(this.lines[this.at]); start !== undefined; start = itemStart(this.lines[this.at])) {
      if (start.indent !== indent || start.ordered !== ordered) break
      const inner = [start.text]
      this.at += 1
      while (this.at < this.lines.length && this.continues(start.indent)) {
        inner.push(this.lines[this.at]!.slice(Math.min(start.width, /^ */.exec(this.lines[this.at]!)![0].length)))
        this.at += 1
      }
      items.push(new BlockReader(inner, this.depth + 1).read())
    }
    return { type: "list", ordered, items }
  }

  /** Whether the next line belongs to an item: it is indented further, or blank with such a line behind it. */
  private continues(indent: number): boolean {
    const line = this.lines[this.at]!
    if (line.trim() !== "") return /^ */.exec(line)![0].length > indent
    const next = this.lines[this.at + 1]
    return next !== undefined && next.trim() !== "" && /^ */.exec(next)![0].length > indent
  }

  private isTable(): boolean {
    const next = this.lines[this.at + 1]
    return (
      this.lines[this.at]!.includes("|") && next !== undefined && /^[ |:-]*-[ |:-]*$/.test(next) && next.includes("|")
    )
  }

  private readTable(): Block {
    const head = cells(this.lines[this.at]!)
    this.at += 2
    const rows: (readonly Inline[])[][] = []
    while (this.at < this.lines.length && this.lines[this.at]!.includes("|")) {
      rows.push(cells(this.lines[this.at]!).slice(0, 50))
      this.at += 1
    }
    return { type: "table", head, rows }
  }

  private readParagraph(): Block {
    const inner: string[] = []
    do {
      inner.push(this.lines[this.at]!)
      this.at += 1
    } while (this.at < this.lines.length && !this.endsParagraph(this.lines[this.at]!))
    return { type: "paragraph", inline: parseInline(inner.join("\n")) }
  }

  private endsParagraph(line: string): boolean {
    return line.trim() === "" || /^ {0,3}(#{1,6} |>|`{3,}[^`]*$|~{3,})/.test(line) || itemStart(line) !== undefined
  }
}

function itemStart(line: string | undefined) {
  const match = line === undefined ? null : /^( *)([-*+]|\d{1,9}[.)])( +)(.*)$/.exec(line)
  if (match === null) return undefined
  const [, blanks = "", sign = "", gap = "", text = ""] = match
  return { indent: blanks.length, ordered: /\d/.test(sign), width: blanks.length + sign.length + gap.length, text }
}

function cells(line: string): (readonly Inline[])[] {
  return line
    .replace(/^\s*\|/, "")
    .replace(/\|\s*$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim()))
}

// Each alternative has a bounded length, so that no text makes the search quadratic.
const inlineToken = new RegExp(
  [
    "\\\\(?<escaped>[!-/:-@[-`{-~])",
    "(?<ticks>`{1,4})(?<code>[^`]{1,2000})\\k<ticks>(?!`)",
    String.raw`(?<bang>!?)\[(?<label>[^[\]]{0,500})\]\(\s{0,9}<?(?<address>[^\s()<>]{1,2000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,200})?)>?(?:\s{1,9}"[^"]{0,200}")?\s{0,9}\)`,
    String.raw`(?<stars>\*\*|__)(?=\S)(?<strong>[\s\S]{0,400}?\S)\k<stars>`,
    "~~(?<strike>[^~]{1,400})~~",
    String.raw`(?<![\w*])(?<star>[*_])(?=[^\s*_])(?<emphasis>[^*_\n]{0,400}[^\s*_])\k<star>(?![\w*])`,
    String.raw`<(?<enclosed>https?://[^\s<>]{1,2000})>`,
    String.raw`(?<bare>https?://[^\s<>()[\]]{1,2000})`,
  ].join("|"),
  "g",
)

/** The pieces of a text in one block. */
function parseInline(text: string, depth = 0): readonly Inline[] {
  if (depth > maxDepth) return [{ type: "text", text }]
  const pieces: Inline[] = []
  let from = 0
  for (const match of text.matchAll(inlineToken)) {
    if (match.index > from) pieces.push({ type: "text", text: text.slice(from, match.index) })
    pieces.push(inlineOf(match, depth))
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ type: "text", text: text.slice(from) })
  return pieces
}

function inlineOf(match: RegExpMatchArray, depth: number): Inline {
  const { escaped, code, bang, label, address, strong, strike, emphasis, enclosed, bare } = match.groups!
  if (escaped !== undefined) return { type: "text", text: escaped }
  if (code !== undefined) return { type: "code", text: code }
  if (address !== undefined && bang === "!") return { type: "image", address, text: label ?? "" }
  if (address !== undefined) return { type: "link", address, inline: parseInline(label || address, depth + 1) }
  if (strong !== undefined) return { type: "strong", inline: parseInline(strong, depth + 1) }
  if (strike !== undefined) return { type: "strike", inline: parseInline(strike, depth + 1) }
  if (emphasis !== undefined) return { type: "emphasis", inline: parseInline(emphasis, depth + 1) }
  const link = enclosed ?? bare ?? match[0]
  return { type: "link", address: link, inline: [{ type: "text", text: link }] }
}
