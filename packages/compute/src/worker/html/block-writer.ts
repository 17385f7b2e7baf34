import { limits } from "../../limits.js"
import { collapse } from "./page-tree.js"

/** The signs before and behind a span. */
interface Signs {
  readonly open: string
  readonly close: string
}

/** A span such as emphasis or a link; without signs inside one of its kind. */
interface Mark {
  readonly kind: string
  readonly signs: Signs | undefined
  isOpen: boolean
}

/** What comes before each line of a quote or of an entry of a list. */
interface Indent {
  readonly first: string
  readonly rest: string
  readonly isDeep: boolean
  used: boolean
}

/**
 * Writes blocks and the text within them, as Markdown or plain. Each piece of text is joined once, at the end of its block:
 * decision 038 says what libraries do instead.
 */
export class BlockWriter {
  readonly isPlain: boolean
  private readonly out: string[] = []
  private readonly indents: Indent[] = []
  private readonly marks: Mark[] = []
  private pieces: string[] = []
  private unread = ""
  private space = false
  private gap = 0
  private length = 0
  private headingLevel = 0
  private cell: string[] | undefined

  constructor({ isPlain }: { readonly isPlain: boolean }) {
    this.isPlain = isPlain
  }

  get inCell(): boolean {
    return this.cell !== undefined
  }

  /** Text of a page: its blanks mean one blank, its signs mean themselves. */
  text(data: string): void {
    // Parsers cut text at every entity; signs can only be judged beside their neighbours.
    this.unread += data
  }

  /** Text that is Markdown already. */
  raw(value: string): void {
    this.readText()
    this.write(value)
  }

  /** Begins a span; its signs are written when there is something between them. */
  begin(kind: string, signs?: Signs): void {
    this.readText()
    const isNested = this.isPlain || this.marks.some((mark) => mark.kind === kind)
    this.marks.push({ kind, signs: isNested ? undefined : signs, isOpen: false })
  }

  end(): void {
    this.readText()
    const mark = this.marks.pop()
    if (mark?.isOpen) this.closeMark(mark)
  }

  lineBreak(): void {
    this.readText()
    if (this.pieces.length === 0) return
    // Two in a row are how pages without paragraphs separate them.
    if (this.atLineStart()) {
      this.block(2)
      return
    }
    this.space = this.headingLevel > 0 || this.inCell
    if (!this.space) this.pieces.push(this.isPlain ? "\n" : "  \n")
  }

  /** Ends the block, if there is one; the next follows after so many line breaks at least. */
  block(lines: number): void {
    this.flush()
    // The first block of an entry is beside its sign.
    if (this.indents.at(-1)?.used !== false) this.gap = Math.max(this.gap, lines)
  }

  /** Finished lines, as a block. */
  put(lines: string): void {
    this.flush()
    this.putLines(lines)
  }

  indent(first: string, rest: string): void {
    this.flush()
    this.indents.push({ first, rest, used: false, isDeep: this.indents.length >= limits.indents })
  }

  outdent(): void {
    this.flush()
    this.indents.pop()
  }

  /** Entries of a list follow each other without a blank line. */
  tighten(): void {
    this.flush()
    this.gap = 1
  }

  /** A heading of this level begins; 0 ends it. */
  heading(level: number): void {
    this.block(2)
    this.headingLevel = level
  }

  /** Until endCell, blocks are parts of one cell. */
  beginCell(): void {
    this.flush()
    this.cell = []
  }

  endCell(): string {
    this.flush()
    const parts = this.cell ?? []
    this.cell = undefined
    return parts.join(this.isPlain ? " " : "<br>")
  }

  finish(): string {
    this.flush()
    return this.out.join("") + (this.length > limits.outputLength ? "\n\n[The rest of the page is left out]" : "")
  }

  private readText(): void {
    if (this.unread === "") return
    const collapsed = collapse(this.unread)
    this.unread = ""
    if (collapsed.charAt(0) === " ") this.space = true
    const words = collapsed.trim()
    if (words === "") return
    this.write(this.isPlain ? words : escapeText(words))
    this.space = collapsed.charAt(collapsed.length - 1) === " "
  }

  private write(value: string): void {
    if (this.space && this.pieces.length > 0 && !this.atLineStart()) this.pieces.push(" ")
    this.space = false
    for (const mark of this.marks) {
      if (mark.signs === undefined || mark.isOpen) continue
      this.pieces.push(mark.signs.open)
      mark.isOpen = true
    }
    this.pieces.push(value)
  }

  private closeMark(mark: Mark): void {
    this.pieces.push(mark.signs?.close ?? "")
    mark.isOpen = false
  }

  private atLineStart(): boolean {
    return this.pieces.at(-1)?.endsWith("\n") ?? false
  }

  private flush(): void {
    this.readText()
    this.space = false
    if (this.pieces.length === 0) return
    for (const mark of this.marks.toReversed()) if (mark.isOpen) this.closeMark(mark)
    const paragraph = this.pieces.join("").trim()
    this.pieces = []
    if (paragraph === "") return
    if (this.isPlain) this.putLines(paragraph)
    else if (this.headingLevel === 0) this.putLines(escapeLineStarts(paragraph))
    else this.putLines(`${"#".repeat(this.headingLevel)} ${paragraph.replace(/\s*\n/g, " ")}`)
  }

  /** Writes finished lines behind the signs of the quotes and lists that they are in. */
  private putLines(lines: string): void {
    if (this.cell !== undefined) return void this.cell.push(lines.replace(/\s*\n\s*/g, " "))
    if (this.length > limits.outputLength) return
    if (this.out.length > 0) this.out.push(this.gap > 1 ? `\n${this.blankLine()}\n` : "\n")
    this.gap = 0
    const prefixed = () => lines.split("\n").map((line) => this.withPrefix(line))
    const written = lines.includes("\n") ? prefixed().join("\n") : this.withPrefix(lines)
    this.length += written.length + 2
    this.out.push(written)
  }

  private withPrefix(line: string): string {
    if (this.indents.length === 0) return line
    const prefix = this.prefixOf(this.indents)
    return line === "" ? prefix.trimEnd() : prefix + line
  }

  /** The line between two blocks: only the signs of what has begun. */
  private blankLine(): string {
    const fresh = this.indents.findIndex(({ used }) => !used)
    return this.prefixOf(fresh === -1 ? this.indents : this.indents.slice(0, fresh)).trimEnd()
  }

  private prefixOf(indents: readonly Indent[]): string {
    let prefix = ""
    for (const indent of indents) {
      if (indent.isDeep) continue
      prefix += indent.used ? indent.rest : indent.first
      indent.used = true
    }
    return prefix
  }
}

/** Signs that Markdown would read as its own; those that it would not stay bare, for the sake of readers. */
function escapeText(text: string): string {
  if (!/[\\`[\]*_<~]/.test(text)) return text
  return text
    .replace(/[\\`[\]]/g, "\\$&")
    .replace(/\*(?=\S)|(?<=\S)\*/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[A-Za-z/!?])/g, "\\<")
    .replace(/~(?=~)/g, "\\~")
}

function escapeLineStarts(paragraph: string): string {
  if (!/^(?:[#>+=-]|\d+[.)])/m.test(paragraph)) return paragraph
  return paragraph
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s)|>|=+$|-+$)/gm, "\\$&")
    .replace(/^(\d{1,9})([.)])(?=\s)/gm, "$1\\$2")
}
