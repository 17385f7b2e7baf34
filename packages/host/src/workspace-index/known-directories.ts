import type { Stats } from "node:fs"
import { dirname } from "node:path"
import { statsOf } from "../files/system/look.js"
import type { Turns } from "./create-turns.js"
import { type DirectoryEvents, noEventsAt } from "./directory-events.js"
import { type DirectoryStats, factsOf, isSameEntry, readFactsOf, type SeenDirectory } from "./directory-facts.js"
import { FactsAhead } from "./facts-ahead.js"
import { below, clockGrainMs, type IndexedDirectory, isSameDirectory, type OnReplaced } from "./read-directory.js"

/** When reading gives up. What was not read is read by the next refresh, where events tell what changed since. */
export interface ScanLimits {
  readonly maxMs: number
  readonly maxEntries: number
}

/** The records of the directories of one root, the watches on them, and what is counted over all of them. */
export class KnownDirectories {
  readonly root: string
  /** Where to look for what has this path. */
  at: (path: string) => string
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
    private readonly held: (path: string) => string,
    private readonly threadFrom?: number,
  ) {
    this.root = root
    this.at = held
  }

  /**
   * Works with plain paths, which takes less than to go by way of the held directory (benchmark: workspace-size, first write).
   * False where they may have led elsewhere for a while: nothing that was found counts then.
   */
  async byPlainPaths(work: () => Promise<void>): Promise<boolean> {
    const before = directoriesOf(this.root)
    const isPlain = isSamePath(before, before) && this.isInPlace()
    if (isPlain) this.at = (path) => path
    try {
      await work()
    } finally {
      this.at = this.held
    }
    return !isPlain || isSamePath(before, directoriesOf(this.root))
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
    this.ahead = new FactsAhead(this.threadFrom)
  }

  /** Looks at the files of every directory whose files were not looked at yet; false where time was up before. */
  async readFacts({ maxMs }: ScanLimits, turns: Turns): Promise<boolean> {
    if (!this.wantsFacts) {
      this.wantsFacts = true
      for (const { path, observed } of this.byPath.values()) if (observed !== "none") this.factless.add(path)
    }
    // By way of the held directory each look costs twice as much: the plain path is used while it resolves to the same one.
    const isPlain = this.isInPlace()
    const { ahead } = this
    // What was seen by plain paths may be what is in another directory.
    if (!isPlain) ahead?.end()
    const read: string[] = []
    const look = (path: string, before: IndexedDirectory | undefined, seen: SeenDirectory | undefined) => {
      const place = isPlain ? path : this.at(path)
      const stats = before && (before.stats ?? this.seenInParent(path) ?? statsOf(place))
      this.factless.delete(path)
      read.push(path)
      if (!stats || !before) return
      if (!before.stats) this.onSeen?.(place, stats.dev)
      const facts = seen ? factsOf(before, stats, seen) : readFactsOf(before, place, stats)
      const isDoubtful = before.isDoubtful && before.stats !== undefined
      this.replace(path, before, { ...before, stats, isDoubtful, facts })
    }
    for await (const records of (isPlain && ahead?.seen(maxMs, turns)) || []) {
      // What has changed since its names were read, or has gone, is reported by an event, and then has another record.
      for (const [record, seen] of records) if (this.byPath.get(record.path) === record) look(record.path, record, seen)
    }
    this.ahead = undefined
    for (const path of this.factless) {
      look(path, this.byPath.get(path), undefined)
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
    return isSameDirectory(statsOf(this.held(this.root)), statsOf(this.root))
  }
}

/**
 * The directories that a path leads through, the last one first; undefined for those whose times tell nothing. One that
 * changed just now could change again in the same tick of the clock.
 */
function directoriesOf(path: string): readonly (Stats | undefined)[] {
  const stats = statsOf(path)
  const isTelling = stats && Date.now() - stats.ctimeMs > clockGrainMs && noEventsAt(path) === undefined
  return [isTelling ? stats : undefined, ...(path === "/" ? [] : directoriesOf(dirname(path)))]
}

/** Whether no directory of a path was exchanged for a while: to rename one changes its time, and that of the one above. */
function isSamePath(before: readonly (Stats | undefined)[], after: readonly (Stats | undefined)[]): boolean {
  const isSame = (at: number) => isSameDirectory(before[at], after[at]) && before[at]!.ctimeMs === after[at]!.ctimeMs
  return before.every((_, at) => at === before.length - 1 || isSame(at) || isSame(at + 1))
}
