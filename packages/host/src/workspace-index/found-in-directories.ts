import { type IndexedDirectory, isOnlyLookedAt, type OnReplaced } from "./read-directory.js"

/** Directories of one root that somebody keeps current. */
interface Directories {
  readonly root: string
  isChanging(): boolean
  all(): Iterable<IndexedDirectory>
  get(path: string): IndexedDirectory | undefined
  subscribe(listener: OnReplaced): () => void
}

/** What a function finds in each directory of indexes; it is asked again only about directories that changed. */
export class FoundInDirectories<Found> {
  private readonly find: (directory: IndexedDirectory, root: string) => Found | undefined
  private readonly parts: readonly Part<Found>[]

  /** Only what is found is kept, so that to look at it costs nothing where most directories have none. */
  constructor(indexes: readonly Directories[], find: (directory: IndexedDirectory, root: string) => Found | undefined) {
    this.find = find
    this.parts = indexes.map((index) => {
      const part: Part<Found> = { index, found: new Map(), changed: "all" }
      index.subscribe((path, before, after) => {
        if (part.changed !== "all" && !isOnlyLookedAt(before, after)) part.changed.add(path)
      })
      return part
    })
  }

  /** As the indexes are now, by directory. */
  entries(): readonly (readonly [string, Found])[] {
    for (const part of this.parts) this.bringUpToDate(part)
    return this.parts.flatMap(({ found }) => [...found])
  }

  values(): readonly Found[] {
    return this.entries().map(([, found]) => found)
  }

  /** Every directory is asked about again. */
  forget(): void {
    for (const part of this.parts) part.changed = "all"
  }

  private bringUpToDate(part: Part<Found>): void {
    const { index, found, changed } = part
    // Half of a change would be neither the old nor the new: until it is over what was found before counts.
    if (changed !== "all" && index.isChanging()) return
    part.changed = new Set()
    if (changed === "all") {
      found.clear()
      for (const directory of index.all()) this.ask(part, directory)
      return
    }
    for (const path of changed) {
      found.delete(path)
      const directory = index.get(path)
      if (directory) this.ask(part, directory)
    }
  }

  private ask({ index, found }: Part<Found>, directory: IndexedDirectory): void {
    const one = this.find(directory, index.root)
    if (one !== undefined) found.set(directory.path, one)
  }
}

interface Part<Found> {
  readonly index: Directories
  readonly found: Map<string, Found>
  changed: Set<string> | "all"
}
