import type { IndexedItem } from "./item-table.js"

/** An item that matches, with its score. */
export interface RankedItem {
  readonly item: IndexedItem
  readonly score: number
}

/** Keeps the best of many. */
export interface BestList {
  /** What is below this score cannot get in any more; never above a score that still can. */
  readonly floor: number
  /** Of one item that is added several times, by several names, the best score counts. */
  add(item: IndexedItem, score: number): void
  ranked(): readonly RankedItem[]
}

/** Makes a list of the best `count`: by score, then by name, then by id. */
export function createBestList(count: number): BestList {
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
