/** A cell as a person looks at it. */
interface ShownCell {
  readonly id: string
  readonly type: string
  readonly source: string
  /** What it printed, gave or failed with; pictures by their type. */
  readonly outputs?: readonly string[]
}

// What a person leafs through; the file has the rest.
const maxNotebookUnits = 4 * 1024 * 1024
const maxAllUnits = 64 * 1024
const maxSourceUnits = 4096
const maxOutputUnits = 2048
const maxOutputs = 20

/** The cells of a notebook, as far as they fit; none of a very large one. */
export function shownCells(text: string): readonly ShownCell[] {
  if (text.length > maxNotebookUnits) return []
  const { cells } = JSON.parse(text.replace(/^\ufeff/, "")) as { readonly cells: readonly RawCell[] }
  const shown: ShownCell[] = []
  let left = maxAllUnits
  for (const [index, cell] of cells.entries()) {
    const outputs = (cell.outputs ?? [])
      .slice(0, maxOutputs)
      .map((output) => outputText(output).slice(0, maxOutputUnits))
    const source = joined(cell.source).slice(0, maxSourceUnits)
    left -= source.length + outputs.join("").length + 40
    if (left < 0) break
    const id = cell.id ?? `cell-${index}`
    shown.push({ id, type: cell.cell_type, source, ...(outputs.length > 0 && { outputs }) })
  }
  return shown
}

interface RawCell {
  readonly id?: string
  readonly cell_type: string
  readonly source?: string | readonly string[]
  readonly outputs?: readonly Readonly<Record<string, unknown>>[]
}

function outputText(output: Readonly<Record<string, unknown>>): string {
  if (output.output_type === "stream") return joined(output.text)
  if (output.output_type === "error") return `${String(output.ename)}: ${String(output.evalue)}`
  const data = (output.data ?? {}) as Readonly<Record<string, unknown>>
  return data["text/plain"] === undefined ? `[${Object.keys(data).join(", ")}]` : joined(data["text/plain"])
}

function joined(text: unknown): string {
  return Array.isArray(text) ? text.join("") : typeof text === "string" ? text : ""
}
