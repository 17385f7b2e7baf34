import { nearestNames, ToolError } from "@haft/contract"
import { editCell, linesOf } from "./edit-cell.js"
import { indentBefore, styleAt, writeJson } from "./json-style.js"
import { memberOf, membersAt, withSpan } from "./json-text.js"
import type { Notebook } from "./parse-notebook.js"

/** What a caller wants of a notebook. */
export interface NotebookEdit {
  readonly path: string
  readonly cellId: string | undefined
  readonly source: string
  readonly type: "code" | "markdown" | undefined
  readonly mode: "replace" | "insert" | "delete"
}

/** The text of a notebook after an edit, and which cell it was. */
export interface EditedNotebook {
  readonly text: string
  readonly cellId: string
  readonly cellType: string
  readonly cellCount: number
  /** The source that was there; undefined for a new cell. */
  readonly before: string | undefined
}

/** Changes the text of one cell; every other byte of the notebook stays the same. */
export function editNotebook(notebook: Notebook, edit: NotebookEdit): EditedNotebook {
  if (edit.mode === "insert") return insertCell(notebook, edit)
  const index = edit.cellId === undefined ? lastCell(notebook, edit) : findCell(notebook, edit.cellId, edit.path)
  return edit.mode === "delete" ? deleteCell(notebook, index) : replaceCell(notebook, index, edit)
}

function lastCell({ cells }: Notebook, { path, mode }: NotebookEdit): number {
  if (cells.length > 0) return cells.length - 1
  throw new ToolError("not_found", `Cannot ${mode} a cell of "${path}": the notebook has none`, {
    hint: "Add one with edit_mode insert",
  })
}

function replaceCell(notebook: Notebook, index: number, { source, type }: NotebookEdit): EditedNotebook {
  const { text, cells } = notebook
  const cell = cells[index]!
  const isSwitched = type !== undefined && type !== cell.type
  const change = { source, type: isSwitched ? type : undefined }
  const edited = editCell(text.slice(cell.start, cell.end), change)
  return {
    text: withSpan(text, cell, edited),
    cellId: cellName(notebook, index),
    cellType: change.type ?? cell.type,
    cellCount: cells.length,
    before: cell.source,
  }
}

function deleteCell(notebook: Notebook, index: number): EditedNotebook {
  const { text, cells, list } = notebook
  const cell = cells[index]!
  const outcome = {
    cellId: cellName(notebook, index),
    cellType: cell.type,
    cellCount: cells.length - 1,
    before: cell.source,
  }
  if (cells.length === 1) return { ...outcome, text: withSpan(text, list, "[]") }
  const span = index > 0 ? { start: cells[index - 1]!.end, end: cell.end } : { start: cell.start, end: cells[1]!.start }
  return { ...outcome, text: withSpan(text, span, "") }
}

function insertCell(notebook: Notebook, { cellId, path, source, type = "code" }: NotebookEdit): EditedNotebook {
  const { cells, hasIds } = notebook
  const index = cellId === undefined ? cells.length - 1 : findCell(notebook, cellId, path)
  const id = hasIds ? freeId(notebook) : undefined
  // In the order of the keys that Jupyter writes.
  const value = {
    cell_type: type,
    ...(type === "code" && { execution_count: null }),
    ...(id !== undefined && { id }),
    metadata: {},
    ...(type === "code" && { outputs: [] }),
    source: linesOf(source),
  }
  return {
    text: withCellAfter(notebook, index, value),
    cellId: id ?? `cell-${index + 1}`,
    cellType: type,
    cellCount: cells.length + 1,
    before: undefined,
  }
}

function withCellAfter({ text, start, cells, list }: Notebook, index: number, value: object): string {
  const style = styleAt(text, start)
  const neighbour = cells[index]
  if (neighbour) {
    const base = style.indent === undefined ? undefined : indentBefore(text, neighbour.start)
    const gap = base === undefined ? style.comma : `,${style.lineBreak}${base}`
    const written = writeJson(value, base === undefined ? { ...style, indent: undefined } : style, base ?? "")
    return withSpan(text, { start: neighbour.end, end: neighbour.end }, gap + written)
  }
  if (style.indent === undefined) return withSpan(text, list, `[${writeJson(value, style, "")}]`)
  const key = memberOf(membersAt(text, start), "cells")!
  const base = indentBefore(text, key.start) ?? style.indent
  return withSpan(text, list, writeJson([value], style, base))
}

/** An id that no other cell has, from the number that the new cell would have. */
function freeId({ cells }: Notebook): string {
  const taken = new Set(cells.map(({ id }) => id))
  let number = cells.length + 1
  while (taken.has(`cell-${number}`)) number += 1
  return `cell-${number}`
}

/** The name of a cell: its id, or its position where it has none, as `read` shows it. */
function cellName({ cells }: Pick<Notebook, "cells">, index: number): string {
  return cells[index]?.id ?? `cell-${index}`
}

/** The index of a cell by its id, or by its position when it has none. */
function findCell(notebook: Notebook, id: string, path: string): number {
  const { cells } = notebook
  const found = cells.flatMap((cell, index) => (cell.id === id ? [index] : []))
  if (found.length === 1) return found[0]!
  if (found.length > 1) {
    throw new ToolError("conflict", `Cannot find cell "${id}" in "${path}": ${found.length} cells have this id`)
  }
  const position = /^cell-(\d{1,9})$/.exec(id)?.[1]
  if (position !== undefined && cells[Number(position)]?.id === undefined && Number(position) < cells.length) {
    return Number(position)
  }
  const names = cells.map((_, index) => cellName(notebook, index))
  const near = nearestNames(id, names, 3)
  const question = near.length > 0 ? `; did you mean ${near.map((name) => `"${name}"`).join(" or ")}?` : ""
  throw new ToolError("not_found", `Cannot find cell "${id}" in "${path}": no cell has this id${question}`, {
    hint: { say: "See the ids of the cells with {tool:read}" },
    details: { near, cell_count: cells.length },
  })
}
