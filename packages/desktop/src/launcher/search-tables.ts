import { type Grant, type IndexHit, type IndexHits, ToolError } from "@haft/contract"
import { createBreather } from "@haft/host"
import type { ItemTable } from "./match/item-table.js"
import { prepareQuery } from "./match/prepare-query.js"
import type { RankedItem } from "./match/best-list.js"
import { rankItems, type WeightedTable } from "./match/rank-items.js"
import { frecency, type Use } from "./usage/open-usage.js"

/** One search. */
export interface TableSearch {
  readonly query: string
  readonly limit: number
  readonly signal: AbortSignal
  readonly grant: Grant
  readonly uses: ReadonlyMap<string, Use>
  readonly now: number
}

/**
 * The best things that may be shown. Each file is judged before it counts; refused ones leave their place to the next best
 * and are only counted, as far as they would have been among the best.
 */
export async function searchTables(tables: readonly ItemTable[], search: TableSearch): Promise<IndexHits> {
  const query = prepareQuery(search.query)
  const weighted = tables.map((table) => weigh(table, search))
  const breathe = createBreather()
  const hits: IndexHit[] = []
  let denied = 0
  let judged = 0
  for (let wanted = search.limit; hits.length < search.limit; wanted = Math.max(64, wanted * 8)) {
    const ranked = rankItems(weighted, query, wanted)
    for (; judged < ranked.length && hits.length < search.limit; judged++) {
      if (mayBeShown(ranked[judged]!, search.grant)) hits.push(hitOf(ranked[judged]!))
      else denied += 1
      await breathe()
      if (search.signal.aborted) throw new ToolError("cancelled", "Cannot search: the call was cancelled")
    }
    if (ranked.length < wanted) break
  }
  return { hits, denied }
}

/** Adds the frecency of the things in a table that were used; all others have none. */
function weigh(table: ItemTable, { uses, now }: TableSearch): WeightedTable {
  const weights = new Map<number, number>()
  for (const [id, use] of uses) {
    const place = table.places.get(id)
    if (place !== undefined) weights.set(place, frecency(use, now))
  }
  return { table, weights }
}

function mayBeShown({ item }: RankedItem, grant: Grant): boolean {
  return item.path === undefined || grant.admits("fs.read", item.path)
}

function hitOf({ item: { id, name, type }, score }: RankedItem): IndexHit {
  return { id, name, type, score }
}
