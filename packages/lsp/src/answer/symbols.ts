import type { FileReader, LanguageItem } from "@haft/contract"
import { countOf, listOf, recordOf, textOf } from "../wire/values.js"
import type { JudgePath } from "./asking.js"
import { type Place, placeOf, type Shown, startOf } from "./places.js"

/** A named thing in a file. */
export interface CodeSymbol extends Place {
  /** With the names of what it is in, outermost first. */
  readonly name: string
  readonly kind: string
}

// The numbers of the protocol, from 1.
const kinds = (
  "file module namespace package class method property field constructor enum interface function variable constant " +
  "string number boolean array object key null enum-member struct event operator type-parameter"
).split(" ")

const maxSymbols = 5000
const maxName = 300
const maxDepth = 50

/** The symbols of an answer about a document, nested ones after what holds them; or of an answer about a workspace. */
export function symbolsOf(answer: unknown, path?: string): readonly CodeSymbol[] {
  const found: CodeSymbol[] = []
  const visit = (values: readonly unknown[], container: string, depth: number) => {
    for (const value of values) {
      const symbol = recordOf(value)
      const name = textOf(symbol?.name, maxName)
      if (!symbol || name === undefined || found.length >= maxSymbols) continue
      const place = symbol.location === undefined ? path && inDocument(symbol, path) : placeOf(symbol.location)
      const holder = container || textOf(symbol.containerName, maxName) || ""
      const whole = holder === "" ? name : `${holder}.${name}`
      if (place) found.push({ ...place, name: whole, kind: kinds[(countOf(symbol.kind) ?? 0) - 1] ?? "symbol" })
      if (depth < maxDepth) visit(listOf(symbol.children), whole, depth + 1)
    }
  }
  visit(listOf(answer), "", 0)
  return found
}

function inDocument({ selectionRange, range }: Readonly<Record<string, unknown>>, path: string): Place {
  return { path, ...startOf(selectionRange ?? range) }
}

/** Symbols as they are shown. Those in files that the call may not read are counted, not named. */
export async function showSymbols(
  symbols: readonly CodeSymbol[],
  { files, admits }: { readonly files: Pick<FileReader, "display">; readonly admits: JudgePath },
): Promise<Shown> {
  const items: LanguageItem[] = []
  let denied = 0
  for (const { path, line, character, name, kind } of symbols) {
    if (await admits(path)) {
      items.push({ path: files.display(path), line: line + 1, character: character + 1, text: name, kind })
    } else denied += 1
  }
  return { items, denied }
}
