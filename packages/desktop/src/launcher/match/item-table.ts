import type { IndexedType } from "@haft/contract"
import { createBreather } from "@haft/host"
import { emptyTexts, type PackedTexts, packText } from "./packed-texts.js"
import type { PreparedText } from "./prepare-text.js"

/** A thing that the launcher knows. */
export interface IndexedItem {
  readonly id: string
  readonly name: string
  readonly type: IndexedType
  /** The name as it is compared with others of the same score. */
  readonly order: string
  /** Everything it can be found by; the best counts. */
  readonly texts: readonly PreparedText[]
  /** Where it lies, for files: judged before it is shown. */
  readonly path?: string
}

/** Things in the form in which they are searched. */
export interface ItemTable {
  readonly items: readonly IndexedItem[]
  /** Place of each id in `items`. */
  readonly places: ReadonlyMap<string, number>
  readonly texts: PackedTexts
  /** For each text, the place of its item; the texts of one item follow each other. */
  readonly owners: Int32Array
}

/** Makes a table, in small steps between which other work can go on; of several items with one id the first counts. */
export async function createItemTable(items: Iterable<IndexedItem>): Promise<ItemTable> {
  const breathe = createBreather()
  const places = new Map<string, number>()
  const kept: IndexedItem[] = []
  const prepared: PreparedText[] = []
  const owners: number[] = []
  for (const item of items) {
    if (places.has(item.id)) continue
    for (const text of item.texts) {
      owners.push(kept.length)
      prepared.push(text)
    }
    places.set(item.id, kept.length)
    kept.push(item)
    if (kept.length % stepLength === 0) await breathe()
  }
  const texts = emptyTexts(prepared)
  for (const [index, text] of prepared.entries()) {
    packText(texts, index, text)
    if (index % stepLength === 0) await breathe()
  }
  return { items: kept, places, texts, owners: Int32Array.from(owners) }
}

const stepLength = 100
