import { nearestNames, ToolError } from "@haft/contract"
import type { Notebook } from "./parse-notebook.js"

/** The name of a cell: its id, or its position where it has none, as `read` shows it. */
export function cellName({ cells }: Pick<Notebook, "cells">, index: number): string {
  return cells[index]?.id ?? `cell-${index}`
}

/** The index of a cell by its id, or by its position when it has none. */
export function findCell(notebook: Notebook, id: string, path: string): number {
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
