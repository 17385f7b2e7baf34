/** Something at one path: what was found in it, or why it is left out. */
export interface Entry<Item> {
  /** Sorts as the entry's place in the result; see `orderKey`. */
  readonly key: string
  readonly kind: "found" | "denied" | "unreadable"
  readonly items: readonly Item[]
  /** What the entry costs in memory, roughly. */
  readonly bytes: number
  /** True when items were dropped while reading the entry, so that nothing after it can count as complete. */
  readonly cut?: boolean
}

/** How much of the sorted whole is kept. */
export interface PrefixLimits {
  readonly maxItems: number
  readonly maxBytes: number
}

/** The first items in order, and the paths before the last of them that were left out. */
export interface PrefixContent<Item> {
  readonly entries: readonly Entry<Item>[]
  readonly leftOut: readonly Entry<Item>[]
  readonly complete: boolean
}

/**
 * Keeps the beginning of a sorted sequence whose elements arrive in any order, in bounded memory.
 * The content depends only on what was added, never on the order of adding: that is what makes a parallel search
 * give the same bytes as a sorted one.
 */
export class SortedPrefix<Item> {
  private readonly limits: PrefixLimits
  private sorted: Entry<Item>[] = []
  private pending: Entry<Item>[] = []
  private itemCount = 0
  private byteCount = 0
  private limitKey: string | undefined

  constructor(limits: PrefixLimits) {
    this.limits = limits
  }

  /** How much of what may be kept is there; 1 when everything that may still arrive in order is past the limits. */
  get progress(): number {
    return this.limitKey === undefined ? Math.min(this.itemCount / (this.limits.maxItems + 1), 0.999) : 1
  }

  /** False when an entry with this key can no longer be part of the content. */
  accepts(key: string): boolean {
    return this.limitKey === undefined || key < this.limitKey
  }

  /** Adds an entry; one with a key that is already there is the same path seen again and is dropped. */
  add(entry: Entry<Item>): void {
    if (!this.accepts(entry.key)) return
    this.itemCount += entry.items.length
    this.byteCount += entry.bytes
    const isFirstPast = this.limitKey === undefined && (this.isOver() || entry.cut === true)
    const last = this.sorted.at(-1)
    // A sorted run finds in order: each entry is only appended (row "glob of 1000 out of 30,000 hits").
    if (this.pending.length === 0 && (last === undefined || last.key < entry.key)) {
      this.sorted.push(entry)
      if (isFirstPast) this.trim()
      return
    }
    this.pending.push(entry)
    if (isFirstPast || this.pending.length >= Math.max(minMergeSize, this.sorted.length / 4)) this.settle()
  }

  /** What is in the prefix now. */
  content(): PrefixContent<Item> {
    this.settle()
    const complete = this.limitKey === undefined
    const entries: Entry<Item>[] = []
    let room = this.limits.maxItems
    const leftOut: Entry<Item>[] = []
    for (const entry of this.sorted) {
      if (entry.kind !== "found") leftOut.push(entry)
      else if (room > 0) {
        entries.push(entry.items.length > room ? { ...entry, items: entry.items.slice(0, room) } : entry)
        room -= entry.items.length
      }
    }
    return { entries, leftOut, complete }
  }

  // Small merges instead of one large sort at the end: no step holds the thread for long.
  private settle(): void {
    if (this.pending.length === 0) return
    this.sorted = merge(this.sorted, this.pending.sort(byKey))
    this.pending = []
    this.trim()
  }

  /** Cuts after the first entry that passes a limit; that entry and its key are the end of what can be known. */
  private trim(): void {
    let items = 0
    let bytes = 0
    for (let index = 0; index < this.sorted.length; index += 1) {
      const entry = this.sorted[index]!
      items += entry.items.length
      bytes += entry.bytes
      if (!this.isOver(items, bytes) && entry.cut !== true) continue
      this.sorted.length = index + 1
      this.limitKey = entry.key
      break
    }
    this.itemCount = items
    this.byteCount = bytes
  }

  private isOver(items = this.itemCount, bytes = this.byteCount): boolean {
    return items > this.limits.maxItems || bytes > this.limits.maxBytes
  }
}

/**
 * The sort key of a path given as bytes in a latin1 string: paths compare component by component in byte order,
 * as ripgrep's own sorting does, so that a folder's files stay together ("a/b" before "a-b").
 */
export function orderKey(path: string): string {
  return path.replaceAll("/", "\0")
}

/** The path of a sort key. */
export function pathOfKey(key: string): string {
  return key.replaceAll("\0", "/")
}

const minMergeSize = 512

function byKey(left: { readonly key: string }, right: { readonly key: string }): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

/** Merges two sorted lists; of two entries with one key the first stays. */
function merge<Item>(left: readonly Entry<Item>[], right: readonly Entry<Item>[]): Entry<Item>[] {
  const merged: Entry<Item>[] = []
  let leftIndex = 0
  let rightIndex = 0
  let lastKey: string | undefined
  while (leftIndex < left.length || rightIndex < right.length) {
    const fromLeft = left[leftIndex]
    const fromRight = right[rightIndex]
    const takeLeft = fromRight === undefined || (fromLeft !== undefined && fromLeft.key <= fromRight.key)
    const next = takeLeft ? fromLeft! : fromRight
    if (takeLeft) leftIndex += 1
    else rightIndex += 1
    if (next.key !== lastKey) merged.push(next)
    lastKey = next.key
  }
  return merged
}
