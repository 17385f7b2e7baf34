import type { Entry } from "../record/scan-workspace.js"

/** Called with a file, and with its entry where there is one at hand. */
export type OfferFile = (folder: string, name: string, size: number, mtimeMs: number, entry?: Entry) => void

/** Files in a binary heap, the newest first: of a large workspace only the newest ones are ever taken. */
export class NewestFiles {
  private readonly folders: string[] = []
  private readonly names: string[] = []
  private readonly times: number[] = []
  /** Where in these lists the files are that wait; a heap from when the first one is taken. */
  private readonly heap: number[] = []
  private isHeap = true

  get size(): number {
    return this.heap.length
  }

  add(folder: string, name: string, mtimeMs: number): void {
    this.heap.push(this.times.length)
    this.folders.push(folder)
    this.names.push(name)
    this.times.push(mtimeMs)
    this.isHeap = false
  }

  /** Removes the newest file. */
  take(): string | undefined {
    if (!this.isHeap) for (let at = (this.size >> 1) - 1; at >= 0; at -= 1) this.sink(at, this.heap[at]!)
    this.isHeap = true
    const newest = this.heap[0]
    const last = this.heap.pop()
    if (newest === undefined || last === undefined) return undefined
    const path = `${this.folders[newest]}/${this.names[newest]}`
    if (this.size > 0) this.sink(0, last)
    else for (const list of [this.folders, this.names, this.times]) list.length = 0
    return path
  }

  /** Puts a file into the heap at a place that is free, or below it. */
  private sink(from: number, file: number): void {
    const { heap, times } = this
    let at = from
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && times[heap[child + 1]!]! > times[heap[child]!]!) child += 1
      if (times[heap[child]!]! <= times[file]!) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = file
  }
}
