import { limits } from "../../limits.js"
import type { BlockWriter } from "./block-writer.js"
import type { PageElement } from "./page-tree.js"

interface Row {
  readonly cells: string[]
  readonly isHead: boolean
  /** How many of its cells are headings. */
  heads: number
}

/** A table of data, as Markdown has them: one line a row. */
export class DataTable {
  private readonly writer: BlockWriter
  private readonly rows: Row[] = []
  // How many rows a cell above still reaches down, by column.
  private readonly reaching: number[] = []
  private row: Row | undefined
  private isHead = false

  constructor(writer: BlockWriter) {
    this.writer = writer
  }

  beginSection(name: string): void {
    this.isHead = name === "thead"
  }

  beginRow(): void {
    this.row = { cells: [], isHead: this.isHead, heads: 0 }
  }

  endRow(): void {
    if (this.row?.cells.some((cell) => cell !== "")) this.rows.push(this.row)
    this.row = undefined
  }

  beginCell(): void {
    this.writer.beginCell()
  }

  endCell(element: PageElement): void {
    const text = this.writer.endCell()
    this.row ??= { cells: [], isHead: false, heads: 0 }
    const { cells } = this.row
    this.skipReached(cells)
    const [across, down] = [span(element, "colspan"), span(element, "rowspan")]
    for (let copy = 0; copy < across && cells.length < limits.columns; copy += 1) {
      if (down > 1) this.reaching[cells.length] = down - 1
      cells.push(copy === 0 ? text : "")
    }
    if (element.localName === "th") this.row.heads += 1
  }

  finish(): void {
    this.endRow()
    this.writer.block(2)
    const [first, ...rest] = this.rows
    if (first !== undefined) this.writer.put(this.writer.isPlain ? plainRows(this.rows) : markdownRows(first, rest))
    this.writer.block(2)
  }

  private skipReached(cells: string[]): void {
    for (;;) {
      const left = this.reaching[cells.length] ?? 0
      if (left === 0 || cells.length >= limits.columns) return
      this.reaching[cells.length] = left - 1
      cells.push("")
    }
  }
}

function plainRows(rows: readonly Row[]): string {
  return rows.map(({ cells }) => cells.join(" | ")).join("\n")
}

function markdownRows(first: Row, rest: readonly Row[]): string {
  const hasHead = first.isHead || first.heads === first.cells.length
  const body = hasHead ? rest : [first, ...rest]
  const columns = [first, ...rest].reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const head = Array.from({ length: columns }, (_, column) => (hasHead ? (first.cells[column] ?? "") : ""))
  const rule = head.map(() => "---")
  return [head, rule, ...body.map(({ cells }) => cells)].map(line).join("\n")
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`
}

function span(element: PageElement, name: string): number {
  const value = Number.parseInt(element.getAttribute(name) ?? "1", 10)
  return value >= 1 ? Math.min(value, limits.columns) : 1
}
