import { BlockWriter } from "./block-writer.js"
import { DataTable } from "./data-table.js"
import {
  beginLink,
  linkTarget,
  writeCodeBlock,
  writeFormula,
  writeImage,
  writeInlineCode,
  writeMedia,
} from "./inline.js"
import type { PageFacts } from "./page-facts.js"
import { collapse, isElement, isText, type PageElement, type PageNode, textBelow, walk } from "./page-tree.js"
import { isUnshown } from "./visibility.js"

/** How a page is worded. */
export interface Wording extends Pick<PageFacts, "base" | "tables"> {
  readonly isPlain: boolean
  /** Elements that are left out besides those that nobody sees. */
  readonly passOver: (element: PageElement) => boolean
}

/** Words everything below the root, but for what is not shown and what is passed over. */
export function writePage(root: PageNode, wording: Wording): string {
  const page = new PageWriter(root, wording)
  walk(
    root,
    (node) => page.enter(node),
    (node) => page.leave(node),
  )
  return page.writer.finish()
}

class PageWriter {
  readonly writer: BlockWriter
  readonly base: string
  private readonly root: PageNode
  private readonly wording: Wording
  private readonly lists: { next: number | undefined; count: number }[] = []
  private table: { readonly root: PageNode; readonly data: DataTable } | undefined

  constructor(root: PageNode, wording: Wording) {
    this.root = root
    this.wording = wording
    this.base = wording.base
    this.writer = new BlockWriter(wording)
  }

  enter(node: PageNode): boolean {
    if (isText(node)) this.writer.text(node.data)
    if (!isElement(node)) return true
    if (node !== this.root && (isUnshown(node) || this.wording.passOver(node))) return false
    const name = node.localName
    const writeWhole = wholes.get(name)
    if (writeWhole !== undefined) {
      writeWhole(node, this.writer, this.base)
      return false
    }
    if (name === "a") return this.enterLink(node)
    const open = openings.get(name)
    if (open !== undefined) open(this, node)
    else if (this.table !== undefined || name === "table") this.enterTable(name, node)
    else if (blockNames.has(name)) this.writer.block(2)
    return true
  }

  leave(node: PageNode): void {
    if (!isElement(node)) return
    const name = node.localName
    const close = closings.get(name)
    if (close !== undefined) close(this)
    else if (this.table !== undefined) this.leaveTable(this.table, node)
    else if (blockNames.has(name) || name === "dt") this.writer.block(2)
  }

  private enterLink(element: PageElement): boolean {
    const target = linkTarget(element, this.base)
    // A sign beside a heading that links to that heading.
    if (target?.startsWith("#") && /^[#\u00b6\u00a7\u{1f517}]?$/u.test(collapse(textBelow(element)).trim()))
      return false
    beginLink(this.writer, target)
    return true
  }

  beginList(element: PageElement): void {
    this.writer.block(this.lists.length > 0 ? 1 : 2)
    const start = Number.parseInt(element.getAttribute("start") ?? "1", 10)
    const first = start >= 0 && start < 1e9 ? start : 1
    this.lists.push({ next: element.localName === "ol" ? first : undefined, count: 0 })
  }

  endList(): void {
    this.lists.pop()
    this.writer.block(this.lists.length > 0 ? 1 : 2)
  }

  beginEntry(): void {
    const list = this.lists.at(-1)
    if (list === undefined) this.writer.block(2)
    else if (list.count > 0 || this.lists.length > 1) this.writer.tighten()
    const marker = list?.next === undefined ? "- " : `${list.next++}. `
    if (list !== undefined) list.count += 1
    this.writer.indent(marker, " ".repeat(marker.length))
  }

  private enterTable(name: string, element: PageElement): void {
    if (this.table === undefined) {
      const { isData = false, columns = 0 } = this.wording.tables.get(element) ?? {}
      this.writer.block(2)
      if (isData && columns > 1) this.table = { root: element, data: new DataTable(this.writer) }
      return
    }
    const { data } = this.table
    if (name === "thead" || name === "tbody" || name === "tfoot") data.beginSection(name)
    else if (name === "tr") data.beginRow()
    else if (name === "td" || name === "th") data.beginCell()
    else if (name !== "table" && blockNames.has(name)) this.writer.block(2)
  }

  private leaveTable({ root, data }: NonNullable<PageWriter["table"]>, element: PageElement): void {
    const name = element.localName
    if (element === root) {
      this.table = undefined
      data.finish()
    } else if (name === "tr") data.endRow()
    else if (name === "td" || name === "th") data.endCell(element)
    else if (blockNames.has(name)) this.writer.block(2)
  }
}

const blockNames = new Set(
  [
    "p div section article main header footer nav aside address figure figcaption form fieldset legend details dl center",
    "body table tr td th caption hgroup search menu frameset option tbody",
  ].flatMap((names) => names.split(" ")),
)

const emphases: readonly (readonly [name: string, sign: string])[] = [
  ["strong", "**"],
  ["b", "**"],
  ["em", "*"],
  ["i", "*"],
  ["del", "~~"],
  ["s", "~~"],
  ["strike", "~~"],
]

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"]

/** Elements that are written at once, with everything below them. */
const wholes = new Map<string, (element: PageElement, writer: BlockWriter, base: string) => void>([
  ["pre", writeCodeBlock],
  ...["code", "kbd", "samp", "tt"].map((name) => [name, writeInlineCode] as const),
  ["math", writeFormula],
  ...["iframe", "frame", "embed", "video", "audio"].map((name) => [name, writeMedia] as const),
])

/** What is written before the content of an element. */
const openings = new Map<string, (page: PageWriter, element: PageElement) => void>([
  ["br", ({ writer }) => writer.lineBreak()],
  ["img", ({ writer, base }, element) => writeImage(element, writer, base)],
  ...emphases.map(([name, sign]) => [name, (page: PageWriter) => beginEmphasis(page, sign)] as const),
  ...headings.map((name, at) => [name, ({ writer }: PageWriter) => writer.heading(at + 1)] as const),
  ["hr", ({ writer }) => writeRule(writer)],
  ["ul", (page, element) => page.beginList(element)],
  ["ol", (page, element) => page.beginList(element)],
  ["li", (page) => page.beginEntry()],
  ["blockquote", ({ writer }) => beginQuote(writer)],
  ["dt", ({ writer }) => writer.block(2)],
  ["dd", ({ writer }) => beginDefinition(writer)],
  ["summary", (page) => beginSummary(page)],
  ["rt", ({ writer }) => writer.raw("(")],
  ["q", ({ writer }) => writer.raw("\u201c")],
  ["input", ({ writer }, element) => writeCheckbox(writer, element)],
  ["sup", ({ writer }, element) => isPower(element) && writer.raw("^")],
])

/** What is written behind the content of an element. */
const closings = new Map<string, (page: PageWriter) => void>([
  ...["a", ...emphases.map(([name]) => name)].map((name) => [name, ({ writer }: PageWriter) => writer.end()] as const),
  ...headings.map((name) => [name, ({ writer }: PageWriter) => writer.heading(0)] as const),
  ["ul", (page) => page.endList()],
  ["ol", (page) => page.endList()],
  ["li", ({ writer }) => endIndent(writer, 1)],
  ["blockquote", ({ writer }) => endIndent(writer, 2)],
  ["dd", ({ writer }) => endIndent(writer, 1)],
  ["summary", ({ writer }) => endSummary(writer)],
  ["rt", ({ writer }) => writer.raw(")")],
  ["q", ({ writer }) => writer.raw("\u201d")],
])

function beginEmphasis({ writer }: PageWriter, sign: string): void {
  writer.begin(sign, { open: sign, close: sign })
}

function writeRule(writer: BlockWriter): void {
  writer.block(2)
  if (writer.isPlain) return
  writer.put("---")
  writer.block(2)
}

function beginQuote(writer: BlockWriter): void {
  const sign = writer.isPlain ? "" : "> "
  writer.block(2)
  writer.indent(sign, sign)
}

function beginDefinition(writer: BlockWriter): void {
  writer.tighten()
  writer.indent(": ", "  ")
}

function endIndent(writer: BlockWriter, lines: number): void {
  writer.outdent()
  writer.block(lines)
}

function beginSummary(page: PageWriter): void {
  page.writer.block(2)
  beginEmphasis(page, "**")
}

function endSummary(writer: BlockWriter): void {
  writer.end()
  writer.block(2)
}

function writeCheckbox(writer: BlockWriter, element: PageElement): void {
  writer.raw(element.hasAttribute("checked") ? "[x]" : "[ ]")
  writer.text(" ")
}

function isPower(element: PageElement): boolean {
  return /^[-\u2212+]?\d{1,4}$/.test(textBelow(element).trim()) && Boolean(element.previousSibling)
}
