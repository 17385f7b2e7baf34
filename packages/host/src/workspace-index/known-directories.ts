import { statsOf } from "../files/system/look.js"
import type { Turns } from "./create-turns.js"
import type { DirectoryEvents } from "./directory-events.js"
import { type DirectoryStats, FactsReader, factsOf, isSameEntry } from "./directory-facts.js"
import { FactsAhead } from "./facts-ahead.js"
import { below, type IndexedDirectory, isOnlyLookedAt, isSameDirectory, type OnReplaced } from "./read-directory.js"

/** When reading gives up. What was not read is read by the next refresh, where events tell what changed since. */
export interface ScanLimits {
  readonly maxMs: number
  readonly maxEntries: number
}

/** The numbers of so many files are in one row when all are read. */
const entriesAtOnce = 8192

/** The records of the directories of one root, the watches on them, and what is counted over all of them. */
export class KnownDirectories {
  readonly root: string
  /** Where to look for what has this path. */
  readonly at: (path: string) => string
  readonly byPath = new Map<string, IndexedDirectory>()
  readonly listeners = new Set<OnReplaced>()
  /** Gets the device of a directory that was watched before it was looked at; throws where events may be missing. */
  onSeen: ((place: string, dev: number) => void) | undefined
  /** Undefined where every refresh scans. */
  events: DirectoryEvents | undefined
  /** Folders that tools fill by themselves. */
  readonly unreadTops = new Set<string>()
  entryCount = 0
  oddCount = 0
  wantsFacts = false
  isClosed = false
  /** Looks at the files of directories whose names are being read. */
  ahead: FactsAhead | undefined
  /** Files that have got a further name. */
  readonly newlyLinked = new Set<number>()
  private readonly factless = new Set<string>()
  private readonly withLinks = new Set<string>()

  constructor(
    root: string,
    at: (path: string) => string,
    private readonly threadFrom?: number,
  ) {
    this.root = root
    this.at = at
  }

  replace(path: string, before: IndexedDirectory | undefined, after: IndexedDirectory | undefined): void {
    if (before) this.forget(before)
    if (after) this.remember(after)
    if (before && before.entries !== after?.entries) this.dropMissing(before, after)
    for (const listener of this.listeners) listener(path, before, after)
  }

  /** Forgets a directory and all below it. */
  drop(path: string): void {
    this.events?.unwatch(path)
    const before = this.byPath.get(path)
    if (before) this.replace(path, before, undefined)
  }

  /** Begins to look at the files of every directory whose names are read from now on, until `readFacts` needs them. */
  lookAhead(): void {
    this.ahead?.end()
    const isPlain = this.isInPlace()
    this.ahead = new FactsAhead({ isPlain, placeOf: isPlain ? (path) => path : this.at, threadFrom: this.threadFrom })
  }

  /** Looks at the files of every directory whose files were not looked at yet; false where time was up before. */
  async readFacts({ maxMs }: ScanLimits, turns: Turns): Promise<boolean> {
    const { ahead } = this
    const seenAhead = await ahead?.seen(maxMs)
    this.ahead = undefined
    if (!this.wantsFacts) {
      this.wantsFacts = true
      for (const { path, observed } of this.byPath.values()) if (observed !== "none") this.factless.add(path)
    }
    // By way of the held directory each look costs twice as much: the plain path is used while it resolves to the same one.
    const isPlain = this.isInPlace()
    const read: string[] = []
    const reader = new FactsReader(entriesAtOnce)
    for (const path of this.factless) {
      const place = isPlain ? path : this.at(path)
      const before = this.byPath.get(path)
      const stats = before && (before.stats ?? this.seenInParent(path) ?? statsOf(place))
      this.factless.delete(path)
      read.push(path)
      if (stats && before) {
        if (!before.stats) this.onSeen?.(place, stats.dev)
        // What has changed since its names were read, or has gone, is reported by an event, and then has another record.
        const seen = ahead?.isPlain && !isPlain ? undefined : seenAhead?.get(before)
        const facts = seen ? factsOf(before, stats, seen) : reader.read(before, place, stats)
        this.replace(path, before, {
          ...before,
          stats,
          isDoubtful: before.isDoubtful && before.stats !== undefined,
          facts,
        })
      }
      if (turns.isOver(maxMs)) break
      await turns.breathe()
    }
    if (isPlain && !this.isInPlace()) for (const path of read) this.factless.add(path)
    return this.factless.size === 0 && !this.isClosed
  }

  /**
   * Directories are scanned from now on, and nobody can rely on what is known of files, nor on times of directories that
   * were looked at after their names were read: only an event would have reported a change in between.
   */
  forgetFacts(): void {
    this.ahead?.end()
    this.ahead = undefined
    this.wantsFacts = false
    this.factless.clear()
    for (const [path, directory] of this.byPath) this.byPath.set(path, { ...directory, stats: undefined })
  }

  /** A file with several names changes in all their directories, but only one of them gets an event: these are the others. */
  *changedByLinks(): Iterable<string> {
    for (const path of this.withLinks) {
      const { facts } = this.byPath.get(path)!
      const isChanged = facts!.linked.some(
        (name) => !isSameEntry(facts!.entries.get(name), statsOf(`${this.at(path)}/${name}`)),
      )
      if (isChanged) yield path
    }
    if (this.newlyLinked.size === 0) return
    for (const { path, facts } of this.byPath.values()) {
      for (const [name, { ino }] of facts?.entries ?? []) {
        if (this.newlyLinked.has(ino) && !facts!.linked.includes(name)) yield path
      }
    }
  }

  close(): void {
    this.isClosed = true
    this.ahead?.end()
    this.events?.close()
    this.events = undefined
    this.byPath.clear()
  }

  private dropMissing(before: IndexedDirectory, after: IndexedDirectory | undefined): void {
    const stays = new Set(after?.entries.folders)
    for (const name of before.entries.folders) if (!stays.has(name)) this.drop(below(before.path, name))
  }

  private forget({ path, unread, entries, isOdd }: IndexedDirectory): void {
    this.byPath.delete(path)
    this.withLinks.delete(path)
    this.factless.delete(path)
    if (unread === undefined) this.entryCount -= entries.length
    if (isOdd) this.oddCount -= 1
    this.unreadTops.delete(path)
  }

  private remember(directory: IndexedDirectory): void {
    const { path, unread, entries, isOdd, facts, observed } = directory
    this.byPath.set(path, directory)
    if (unread === undefined) this.entryCount += entries.length
    if (isOdd) this.oddCount += 1
    if (unread === path) this.unreadTops.add(path)
    if (facts?.linked.length) this.withLinks.add(path)
    if (this.wantsFacts && !facts && observed !== "none") this.factless.add(path)
  }

  /** How a directory was when its parent's entries were looked at. */
  private seenInParent(path: string): DirectoryStats | undefined {
    const split = path.lastIndexOf("/")
    return this.byPath.get(path.slice(0, split))?.facts?.entries.directory(path.slice(split + 1))
  }

  private isInPlace(): boolean {
    return isSameDirectory(statsOf(this.at(this.root)), statsOf(this.root))
  }
}

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
