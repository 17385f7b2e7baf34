import type { Entry } from "../record/scan-workspace.js"

/** Called with a file, and with its entry where there is one at hand. */
export type OfferFile = (folder: string, name: string, size: number, mtimeMs: number, entry?: Entry) => void

/** Files in a binary heap, the newest first: of a large workspace only the newest ones are ever taken. */
export class NewestFiles {
  private readonly folders: string[] = []
  private readonly names: string[] = []
  private readonly times: number[] = []
  /** Whether the files are a heap, which is made when the first one is taken. */
  private isHeap = true

  get size(): number {
    return this.times.length
  }

  add(folder: string, name: string, mtimeMs: number): void {
    this.folders.push(folder)
    this.names.push(name)
    this.times.push(mtimeMs)
    this.isHeap = false
  }

  /** Removes the newest file. */
  take(): string | undefined {
    if (!this.isHeap) for (let at = (this.size >> 1) - 1; at >= 0; at -= 1) this.sink(at)
    this.isHeap = true
    if (this.size === 0) return undefined
    this.swap(0, this.size - 1)
    this.times.pop()
    const path = `${this.folders.pop()}/${this.names.pop()}`
    this.sink(0)
    return path
  }

  private sink(from: number): void {
    const { times } = this
    for (let at = from; ; ) {
      const left = 2 * at + 1
      const right = left + 1
      const newer = right < times.length && times[right]! > times[left]! ? right : left
      if (newer >= times.length || times[newer]! <= times[at]!) return
      this.swap(at, newer)
      at = newer
    }
  }

  private swap(one: number, other: number): void {
    swapIn(this.times, one, other)
    swapIn(this.names, one, other)
    swapIn(this.folders, one, other)
  }
}

function swapIn<Item>(items: Item[], one: number, other: number): void {
  const item = items[one]!
  items[one] = items[other]!
  items[other] = item
}
