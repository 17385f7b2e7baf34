import type { OpenFile } from "@haft/contract"
import * as z from "zod"
import { maxTextBytes } from "../shared/text/index.js"

/** The cells of a Jupyter notebook as text; undefined when the file is no notebook of format 4, or too large to parse. */
export async function notebookText(file: OpenFile): Promise<string | undefined> {
  if (file.size > maxTextBytes) return undefined
  const notebook = parseNotebook(file.whole ?? (await file.read(0, file.size)))
  return notebook?.cells.map(cellText).join("\n")
}

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === "string" ? value : value.join("")))

const outputSchema = z.looseObject({
  output_type: z.string(),
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
})
type CellOutput = z.infer<typeof outputSchema>

const notebookSchema = z.looseObject({
  nbformat: z.literal(4),
  cells: z.array(
    z.looseObject({
      id: z.string().optional(),
      cell_type: z.string(),
      source: lines,
      outputs: z.array(outputSchema).optional(),
    }),
  ),
})
type Cell = z.infer<typeof notebookSchema>["cells"][number]

function parseNotebook(bytes: Uint8Array) {
  try {
    return notebookSchema.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))).data
  } catch {
    // Not UTF-8 or not JSON: the caller shows the file as text, which is what helps to mend it.
    return undefined
  }
}

function cellText(cell: Cell, index: number): string {
  const outputs = (cell.outputs ?? []).map((output) => `--- output ---\n${shorten(outputText(output))}\n`)
  // Notebooks before format 4.5 have no ids; the position serves as one.
  return `--- cell ${cell.id ?? `cell-${index}`} (${cell.cell_type}) ---\n${cell.source}\n${outputs.join("")}`
}

function outputText({ text, data, ename, evalue, traceback, output_type }: CellOutput): string {
  if (text !== undefined) return text
  if (output_type === "error")
    return withoutColour([`${ename ?? "Error"}: ${evalue ?? ""}`, ...(traceback ?? [])].join("\n"))
  const plain = lines.safeParse(data?.["text/plain"]).data
  const others = Object.keys(data ?? {}).filter((type) => type !== "text/plain")
  return [...(plain === undefined ? [] : [plain]), ...others.map((type) => `[${type} left out]`)].join("\n")
}

function withoutColour(value: string): string {
  return value.replace(/\x1b\[[0-9;]*m/g, "")
}

// Outputs repeat what the source computes; their beginning is what a reader needs.
const maxOutputCharacters = 2000

function shorten(value: string): string {
  if (value.length <= maxOutputCharacters) return value
  // Not between the two halves of a pair.
  const head = value.slice(0, maxOutputCharacters).replace(/[\ud800-\udbff]$/, "")
  return `${head}\n[${value.length - head.length} more characters left out]`
}
