import { type BestList, createBestList, type RankedItem } from "./best-list.js"
import type { ItemTable } from "./item-table.js"
import { bestScattered, matchQuality, scatteredQuality, wholeQuality, wordsQuality } from "./match-quality.js"
import { mayOccur } from "./packed-texts.js"
import type { PreparedQuery } from "./prepare-query.js"

/** A table with the frecency of the items in it that were used, by place. */
export interface WeightedTable {
  readonly table: ItemTable
  readonly weights: ReadonlyMap<number, number>
}

/**
 * The best `count` matches: by score, then by name, then by id. Without a query everything matches, and use alone
 * decides.
 */
export function rankItems(
  tables: readonly WeightedTable[],
  query: PreparedQuery | undefined,
  count: number,
): readonly RankedItem[] {
  const best = createBestList(count)
  // What was used comes first: it sets a high bar, under which the rest is not looked at closely.
  for (const { table, weights } of tables) {
    for (const [place, weight] of weights) {
      const quality = query === undefined ? 0 : bestQuality(table, place, query, best.floor - weight)
      if (query === undefined || quality > 0) best.add(table.items[place]!, quality + weight)
    }
  }
  for (const weighted of tables) {
    if (query !== undefined) addMatches(weighted, query, best)
    else if (best.floor <= 0) addAll(weighted, best)
  }
  return best.ranked()
}

function addAll({ table, weights }: WeightedTable, best: BestList): void {
  for (const [place, item] of table.items.entries()) if (!weights.has(place)) best.add(item, 0)
}

/** Whole matches first: where there are enough of them, scattered letters need not be looked for. */
function addMatches({ table, weights }: WeightedTable, query: PreparedQuery, best: BestList): void {
  const { owners, texts, items } = table
  const { whole, words } = query
  let { floor } = best
  const add = (text: number, quality: number) => {
    const place = owners[text]!
    if (!weights.has(place)) best.add(items[place]!, quality)
    floor = best.floor
  }
  // Nothing that was not used is better than a perfect match.
  if (floor > 1) return
  if (whole.codes.length < usefulLength) {
    for (let text = 0; text < owners.length; text++) {
      if ((texts.masks[text]! & query.mask) !== query.mask) continue
      const quality = wholeQuality(texts, text, whole, floor)
      if (quality > 0 && quality >= floor) add(text, quality)
    }
  } else if (mayOccur(texts, whole.codes)) {
    let text = 0
    for (let at = texts.lines.indexOf(whole.text); at >= 0; at = texts.lines.indexOf(whole.text, texts.ends[text]!)) {
      while (texts.ends[text]! <= at) text++
      const quality = wholeQuality(texts, text, whole, floor)
      if (quality > 0 && quality >= floor) add(text, quality)
    }
  }
  if (words.length === 0 && floor > bestScattered) return
  for (let text = 0; text < owners.length; text++) {
    if ((texts.masks[text]! & query.mask) !== query.mask) continue
    const quality =
      words.length > 0 ? wordsQuality(texts, text, words, floor) : scatteredQuality(texts, text, whole, floor)
    if (quality > 0 && quality >= floor) add(text, quality)
  }
}

// What is shorter occurs in nearly every text, and is found faster by looking at each.
const usefulLength = 3

function bestQuality({ texts, owners }: ItemTable, place: number, query: PreparedQuery, floor: number): number {
  let best = 0
  for (let text = firstTextOf(owners, place); owners[text] === place; text++) {
    best = Math.max(best, matchQuality(texts, text, query, floor))
  }
  return best
}

/** The owners rise, so that the first text of an item is found by halving. */
function firstTextOf(owners: Int32Array, place: number): number {
  let low = 0
  let high = owners.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (owners[middle]! < place) low = middle + 1
    else high = middle
  }
  return low
}
