import { ToolError } from "@haft/contract"
import * as z from "zod"
import { itemsAt, memberOf, membersAt, type Span } from "./json-text.js"

const source = z.union([z.string(), z.array(z.string())])
const metadata = z.looseObject({})

/** What every reader of format 4 relies on; the rest of a cell is left alone. */
const cellSchema = z.discriminatedUnion("cell_type", [
  z.looseObject({
    cell_type: z.literal("code"),
    id: z.string().optional(),
    source,
    metadata,
    outputs: z.array(z.looseObject({ output_type: z.string() })),
    execution_count: z.int().nullable(),
  }),
  z.looseObject({ cell_type: z.literal("markdown"), id: z.string().optional(), source, metadata }),
  z.looseObject({ cell_type: z.literal("raw"), id: z.string().optional(), source, metadata }),
])

const notebookSchema = z.looseObject({
  nbformat: z.literal(4),
  nbformat_minor: z.int().min(0),
  metadata,
  cells: z.array(cellSchema),
})

/** A notebook as text, with what is known about its cells and where they are. */
export interface Notebook {
  readonly text: string
  /** Where the object begins; behind a byte order mark, if there is one. */
  readonly start: number
  /** True when cells have ids, since format 4.5. */
  readonly hasIds: boolean
  readonly cells: readonly Cell[]
  /** The list of the cells, brackets included. */
  readonly list: Span
}

/** A cell and its place. */
export interface Cell extends Span {
  readonly id: string | undefined
  readonly type: "code" | "markdown" | "raw"
  readonly source: string
}

/** Reads a notebook of format 4; anything else is `unsupported` with the reason. */
export function parseNotebook(bytes: Uint8Array, path: string): Notebook {
  const text = decode(bytes, path)
  const start = text.startsWith("\ufeff") ? 1 : 0
  const value = parseJson(text.slice(start), path)
  const version = (value as { readonly nbformat?: unknown } | null)?.nbformat
  if (typeof version === "number" && version !== 4) {
    const hint = "Convert it to notebook format 4 with jupyter nbconvert"
    throw unsupported(path, `it has format ${version}, only format 4 can be edited`, hint)
  }
  const parsed = notebookSchema.safeParse(value)
  if (!parsed.success) throw unsupported(path, `it is no valid notebook: ${firstIssue(parsed.error)}`)
  const { nbformat_minor: minor, cells } = parsed.data
  const list = memberOf(membersAt(text, text.indexOf("{")), "cells")!.value
  const spans = itemsAt(text, list.start)
  return {
    text,
    start,
    hasIds: minor >= 5,
    list,
    cells: cells.map((cell, index) => ({
      ...spans[index]!,
      id: cell.id,
      type: cell.cell_type,
      source: typeof cell.source === "string" ? cell.source : cell.source.join(""),
    })),
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unsupported(path, "it is not UTF-8")
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw unsupported(path, `it is no valid JSON: ${reason.slice(0, 200)}`, "Mend the file with edit first")
  }
}

function firstIssue(error: z.ZodError): string {
  const place = error.issues[0]?.path.join(".")
  return place ? `"${place}" is not as the format of notebooks has it` : "it is not as the format of notebooks has it"
}

function unsupported(path: string, reason: string, hint?: string): ToolError {
  return new ToolError(
    "unsupported",
    `Cannot edit the notebook "${path}": ${reason}`,
    hint === undefined ? {} : { hint },
  )
}
