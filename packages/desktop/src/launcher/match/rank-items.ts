import { type IndexedItem, type ItemTable, mayOccur } from "./item-table.js"
import { bestScattered, matchQuality, scatteredQuality, wholeQuality, wordsQuality } from "./match-quality.js"
import type { PreparedQuery } from "./prepare.js"

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

/** An item that matches, with its score. */
export interface RankedItem {
  readonly item: IndexedItem
  readonly score: number
}

/** Keeps the best of many. */
interface BestList {
  /** What is below this score cannot get in any more; never above a score that still can. */
  readonly floor: number
  /** Of one item that is added several times, by several names, the best score counts. */
  add(item: IndexedItem, score: number): void
  ranked(): readonly RankedItem[]
}

/** Makes a list of the best `count`: by score, then by name, then by id. */
function createBestList(count: number): BestList {
  return count <= maxInserted ? insertedList(count) : sortedList(count)
}

// Up to here it is cheaper to keep the best in order than to sort everything at the end.
const maxInserted = 1_000

function insertedList(count: number): BestList {
  const best: RankedItem[] = []
  let floor = count === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  return {
    get floor() {
      return floor
    },
    add(item, score) {
      if (score < floor || (best.length === count && !isBefore(item, score, best[count - 1]!))) return
      const before = best.findIndex((each) => each.item === item)
      if (before >= 0) {
        if (best[before]!.score >= score) return
        best.splice(before, 1)
      }
      best.splice(placeOf(best, item, score), 0, { item, score })
      if (best.length > count) best.pop()
      if (best.length === count) floor = best[count - 1]!.score
    },
    ranked: () => best,
  }
}

function sortedList(count: number): BestList {
  const scores = new Map<IndexedItem, number>()
  return {
    floor: Number.NEGATIVE_INFINITY,
    add: (item, score) => void scores.set(item, Math.max(score, scores.get(item) ?? 0)),
    ranked: () =>
      Array.from(scores, ([item, score]) => ({ item, score }))
        .sort((one, other) => (isBefore(one.item, one.score, other) ? -1 : 1))
        .slice(0, count),
  }
}

function placeOf(best: readonly RankedItem[], item: IndexedItem, score: number): number {
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(item, score, best[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

function isBefore(item: IndexedItem, score: number, than: RankedItem): boolean {
  if (score !== than.score) return score > than.score
  if (item.order !== than.item.order) return item.order < than.item.order
  return item.id < than.item.id
}
