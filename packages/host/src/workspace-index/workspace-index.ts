import { readFileSync, type Stats, statfsSync } from "node:fs"
import { basename, join } from "node:path"
import { createTurns, type Turns } from "../observe/create-turns.js"
import { type Entry, sameContent } from "../observe/scan-workspace.js"
import { DirectoryEvents, type DirectoryEventsOptions } from "./directory-events.js"
import { factsIn, type IndexedDirectory, readDirectory, statsOf, type Zone, zoneBelow } from "./read-directory.js"
import { WrittenNames } from "./written-names.js"

/** When reading gives up. What was not read is read by the next refresh, where events tell what changed since. */
export interface ScanLimits {
  readonly maxMs: number
  readonly maxEntries: number
}

/** Where an index looks, and how it learns of changes. */
export interface WorkspaceIndexOptions {
  /** Absolute, links followed. */
  readonly root: string
  /** Folders of which nothing is read. */
  readonly skip?: readonly string[]
  /** Where to look for what has this path, when it is to be looked for in a directory that is held. */
  readonly at?: (path: string) => string
  /** The folders that tools fill by themselves are named, and nothing in them is read. */
  readonly leavesUnread?: boolean
  /** A folder of ours for cookie files; without it every refresh scans. */
  readonly cookieFolder?: string
  readonly events?: Pick<DirectoryEventsOptions, "maxWatches" | "queueLength" | "cookieMs">
}

/** Told of every record that was replaced. */
export type OnReplaced = (
  path: string,
  before: IndexedDirectory | undefined,
  after: IndexedDirectory | undefined,
) => void

/** How a directory is to be visited. */
interface Task {
  readonly path: string
  readonly zone: Zone
  /**
   * `walk` goes through all below and trusts the time of the last change, `rewatch` does so with new watches and looks at
   * every file; `changed` reads one directory again and goes into what is new, `check` only looks at its files again.
   */
  readonly how: "walk" | "rewatch" | "changed" | "check"
  /** Names that came or went: what stands there now may be another directory. */
  readonly names?: ReadonlySet<string | null>
}

/** Why a walk did not read everything, and the folders that tools fill which it did not read to the end. */
interface WalkEnd {
  readonly ended: string | undefined
  readonly left: ReadonlySet<string>
}

const none: ReadonlySet<never> = new Set()
const rootZone: Zone = { unread: undefined, observed: "plain" }
/** How long the event loop may be kept. */
const sliceMs = 4
/** Reading the folders that tools fill by themselves: half a million names take about a second. */
const unreadMs = 3000

/**
 * The names below a root, and what undo needs to know of its files. Scanned by the first refresh; later ones read only what
 * events told of, once `watch` was called and where directories can be watched. Without events each refresh scans: the
 * time of the last change tells which directories have to be read again.
 *
 * Writes through `mmap` make no event, nor do writes to a file through a hard link that was made and removed in between:
 * `reconcile` finds those.
 */
export class WorkspaceIndex {
  readonly root: string
  private readonly options: WorkspaceIndexOptions
  private readonly at: (path: string) => string
  private readonly known = new Map<string, IndexedDirectory>()
  private readonly listeners = new Set<OnReplaced>()
  private events: DirectoryEvents | undefined
  /** Why events are not used. */
  private unwatched: string | undefined
  private refused: string | undefined
  private mounts = ""
  private rootDev: number | undefined
  /** By directory, the names that events told of. */
  private dirty = new Map<string, Set<string | null>>()
  private tasks: Task[] = []
  private unreadTasks: Task[] = []
  private ended: string | undefined
  private isWalking = false
  /** The first scan, which reads nothing but names. */
  private isListing = false
  private readonly unreadTops = new Set<string>()
  /** Of those, the ones that were not read to the end. */
  private left: ReadonlySet<string> = none
  private leftBefore: ReadonlySet<string> = none
  /** Where every refresh scans: what tells that a folder which tools fill has changed. */
  private readonly stamps = new Map<string, string>()
  private entryCount = 0
  private oddCount = 0
  private wantsFacts = false
  private factless = new Set<string>()
  private readonly withLinks = new Set<string>()
  /** Files that have got a further name. */
  private readonly newlyLinked = new Set<number>()
  private readonly written = new WrittenNames()
  /** A file may have been written through a name that it has lost since. */
  private isDoubtful = false
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private wake: (() => void) | undefined
  private isClosed = false

  constructor(options: WorkspaceIndexOptions) {
    this.options = options
    this.root = options.root
    this.at = options.at ?? ((path) => path)
    this.unwatched = options.cookieFolder === undefined ? "it was not asked for" : noEventsAt(this.at(this.root))
  }

  /** Brings the names up to date. */
  refresh(limits: ScanLimits): Promise<void> {
    return this.whileCurrent(limits, async () => undefined)
  }

  /** The same, and then does work that nothing may change the index under. The work must not ask for a refresh itself. */
  whileCurrent<Result>(limits: ScanLimits, work: () => Promise<Result>): Promise<Result> {
    return this.inTurn(async () => {
      await this.update(limits)
      // An index that is closed knows nothing, and nobody may take that for an empty workspace.
      if (this.isClosed) throw new Error(`The index of "${this.root}" is closed`)
      return work()
    })
  }

  /** Whether directories are being read: what is known meanwhile may be neither the old nor the new. */
  isChanging(): boolean {
    return this.isWalking
  }

  /** From now on events tell what changes. Resolves to false where they cannot, and `whyUnwatched` says why. */
  watch(limits: ScanLimits): Promise<boolean> {
    return this.inTurn(() => this.arm(limits))
  }

  /** The same while nobody waits for it; does not keep the process alive. */
  watchWhenIdle(limits: ScanLimits): Promise<boolean> {
    return this.inTurn(() => this.arm(limits), "idle")
  }

  /** Brings names and files up to date; false where not all is known, or not by events. */
  look(limits: ScanLimits): Promise<boolean> {
    return this.inTurn(async () => {
      if (!this.events && !(await this.arm(limits))) return false
      await this.update(limits)
      if (this.isDoubtful) await this.checkAll(limits, "now")
      return this.isWhole() && (await this.readFacts(limits))
    })
  }

  /** Looks at every file again, and finds what no event told of. While idle it gives way to whoever waits. */
  reconcile(limits: ScanLimits, pace: "now" | "idle" = "now"): Promise<boolean> {
    return this.inTurn(async () => {
      await this.update(limits)
      return this.checkAll(limits, pace)
    }, pace)
  }

  /** Something in a directory is not as it is known: it is read again by the next refresh. */
  suspect(path: string): void {
    if (this.known.has(path)) this.note(path, null, false)
  }

  /** The directories that are read, without the folders that tools fill by themselves. */
  *directories(): Iterable<IndexedDirectory> {
    for (const directory of this.known.values()) if (directory.unread === undefined) yield directory
  }

  /** All directories. */
  all(): Iterable<IndexedDirectory> {
    return this.known.values()
  }

  get(path: string): IndexedDirectory | undefined {
    return this.known.get(path)
  }

  /** Why not everything was read, if so. */
  stopped(): string | undefined {
    return this.ended
  }

  /** Folders that tools fill by themselves. */
  unread(): readonly string[] {
    return [...this.unreadTops]
  }

  /** Those of them that were not read to the end. */
  unfinished(): readonly string[] {
    return [...this.left]
  }

  /** Whether names that are no text lie in it: what is below such a folder is in no index. */
  isOdd(): boolean {
    return this.oddCount > 0
  }

  /** Why every refresh scans; undefined where events tell what changed, or nobody asked for that yet. */
  whyUnwatched(): string | undefined {
    return this.unwatched
  }

  /** The reason where watches were refused that would otherwise be there. */
  whyRefused(): string | undefined {
    return this.refused
  }

  isWatching(): boolean {
    return this.events !== undefined
  }

  subscribe(listener: OnReplaced): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  close(): void {
    this.isClosed = true
    this.wake?.()
    this.events?.close()
    this.events = undefined
    this.known.clear()
    this.dirty.clear()
    this.tasks = []
    this.unreadTasks = []
  }

  private isWhole(): boolean {
    return this.events !== undefined && this.ended === undefined && this.oddCount === 0
  }

  private async update(limits: ScanLimits): Promise<void> {
    if (this.isClosed) return
    if (!this.events) return this.scan(limits)
    const isComplete = await this.events.settle()
    if (!this.events || this.isClosed) return
    if (this.written.take()) this.isDoubtful = true
    const { mounts } = this
    this.mounts = readMounts()
    if (!isComplete || mounts !== this.mounts) this.expectAll()
    else this.expectDirty()
    await this.watched(limits, async () => {
      await this.walk(limits)
      await this.followLinks(limits)
    })
  }

  private async checkAll(limits: ScanLimits, pace: "now" | "idle"): Promise<boolean> {
    let turnMs = performance.now()
    let isWhole = true
    await this.watched(limits, async () => {
      this.isWalking = true
      for (const path of this.events ? [...this.known.keys()] : []) {
        const task = this.taskFor(path, none, "check")
        if (task) this.visit(task)
        if (performance.now() - turnMs < sliceMs) continue
        await this.pause()
        turnMs = performance.now()
        isWhole = !this.isClosed && (pace === "now" || this.waiting === 0)
        if (isWhole) continue
        this.isWalking = false
        return
      }
      await this.walk(limits)
    })
    if (isWhole) this.isDoubtful = false
    return isWhole
  }

  /** Reads every directory that changed since the last scan, by the time of its last change. */
  private async scan(limits: ScanLimits): Promise<void> {
    this.leftBefore = this.left
    this.unreadTasks = []
    this.tasks = [{ path: this.root, zone: rootZone, how: "walk" }]
    this.isListing = this.known.size === 0
    try {
      await this.walk(limits)
    } finally {
      this.isListing = false
    }
  }

  private async arm(limits: ScanLimits): Promise<boolean> {
    if (this.events || this.unwatched !== undefined || this.isClosed) return this.events !== undefined
    const events = new DirectoryEvents({
      ...this.options.events,
      cookieFolder: this.options.cookieFolder!,
      onEvent: (path, name, isRename) => this.note(path, name, isRename),
    })
    const refused = events.open()
    if (refused !== undefined) {
      this.unwatched = refused
      this.refused = refused
      events.close()
      return false
    }
    this.events = events
    this.mounts = readMounts()
    this.rootDev = statsOf(this.at(this.root))?.dev
    this.unreadTasks = []
    this.tasks = [{ path: this.root, zone: rootZone, how: "walk" }]
    await this.watched(limits, () => this.walk(limits))
    return this.events !== undefined
  }

  /** Goes back to scanning when a directory cannot be watched, and gives all watches back: other programs need them too. */
  private async watched(limits: ScanLimits, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof WatchRefused)) throw error
      this.unwatched = error.message
      this.refused = error.message
      this.events?.close()
      this.events = undefined
      this.dirty.clear()
      this.wantsFacts = false
      this.factless.clear()
      await this.scan(limits)
    }
  }

  private note(path: string, name: string | null, isRename: boolean): void {
    if (this.wantsFacts) this.written.note(`${path}/${name}`, isRename)
    const names = this.dirty.get(path)
    if (names) {
      if (isRename) names.add(name)
    } else this.dirty.set(path, new Set(isRename ? [name] : []))
  }

  /** Events were lost, or something was mounted: every watch is set anew, and every file looked at again. */
  private expectAll(): void {
    this.dirty.clear()
    this.isDoubtful = false
    this.events!.beginAnew()
    this.unreadTasks = []
    this.tasks = [{ path: this.root, zone: rootZone, how: "rewatch" }]
  }

  private expectDirty(): void {
    const { dirty } = this
    this.dirty = new Map()
    // Its own name is told when it was moved or removed. A new one in its place may have the number of the old one.
    if (dirty.get(this.root)?.has(basename(this.at(this.root)))) {
      this.drop(this.root)
      this.tasks.push({ path: this.root, zone: rootZone, how: "walk" })
    }
    for (const [path, names] of dirty) {
      this.expect(path, names)
      const directory = this.known.get(path)
      const parent = directory?.observed === "none" ? path.slice(0, path.lastIndexOf("/")) : undefined
      // Of a package only the time of its last change is known, and that is kept with the folder above.
      if (parent !== undefined && this.known.get(parent)?.observed === "packages") this.expect(parent, none)
    }
    // Parents last, so that they are taken first: what is in a folder that has gone need not be read.
    this.tasks.sort((one, other) => other.path.length - one.path.length)
  }

  private expect(path: string, names: ReadonlySet<string | null>): void {
    const task = this.taskFor(path, names, "changed")
    if (task) this.tasks.push(task)
  }

  private taskFor(path: string, names: ReadonlySet<string | null>, how: "changed" | "check"): Task | undefined {
    const directory = this.known.get(path)
    if (!directory) return undefined
    const { observed, unread } = directory
    // Whether a folder with a mark still has it is found out by reading it.
    const isMarked = unread === path && !isNamedUnread(path)
    return { path, zone: { observed, unread: isMarked ? undefined : unread }, how, names }
  }

  /** Works through the tasks; those that are left when time is up stay for the next refresh. */
  private async walk(limits: ScanLimits): Promise<void> {
    this.isWalking = true
    try {
      // Whoever asks while a walk runs must not get half of what it finds.
      const { ended, left } = await this.workThrough(limits)
      this.ended = ended
      this.left = left
    } finally {
      this.isWalking = false
    }
  }

  private async workThrough({ maxMs, maxEntries }: ScanLimits): Promise<WalkEnd> {
    const turns = createTurns(() => this.pause())
    let unread: Turns | undefined
    while (!this.isClosed) {
      const task = this.tasks.pop() ?? this.unreadTasks.pop()
      const isOver = this.entryCount > maxEntries
      const tooMany = `it has more than ${maxEntries} entries`
      if (!task) return { ended: isOver ? tooMany : undefined, left: none }
      const isOne = task.how === "changed" || task.how === "check"
      if (task.zone.unread === undefined || isOne) {
        const isLate = turns.isOver(maxMs)
        if (isLate || (isOver && !isOne)) {
          this.tasks.push(task)
          return { ended: isLate ? `looking through it took longer than ${maxMs} ms` : tooMany, left: none }
        }
      } else {
        unread ??= createTurns(() => this.pause())
        if (unread.isOver(unreadMs)) {
          this.unreadTasks.push(task)
          const left = new Set(this.unreadTasks.flatMap(({ zone }) => zone.unread ?? []))
          return { ended: isOver ? tooMany : undefined, left }
        }
      }
      this.visit(task)
      await (unread ?? turns).breathe()
    }
    return { ended: "it is closed", left: none }
  }

  private visit(task: Task): void {
    const { path, zone, how, names } = task
    const place = this.at(path)
    const isOne = how === "changed" || how === "check"
    let before = this.known.get(path)
    if (!before && isOne) return
    if (this.isListing && !before && path !== this.root) {
      this.list(task, place)
      return
    }
    let stats = before?.stats && statsOf(place)
    if (before && (isMoved(before, zone) || (before.stats && !isSameDirectory(before.stats, stats)))) {
      this.drop(path)
      before = undefined
    }
    // What it was before it was watched may have changed without an event.
    if (this.events && (how === "rewatch" || !this.events.has(path)))
      stats = this.setWatch(path, place) === "gone" ? undefined : statsOf(place)
    else stats ??= statsOf(place)
    if (!stats?.isDirectory()) {
      this.drop(path)
      return
    }
    if (this.events) this.assertEvents(place, stats)
    const directory = this.current(task, place, stats, before)
    if (directory !== before) this.replace(path, before, directory)
    if (how === "check" && directory === before) return
    this.expectIn(directory, place, how, names)
  }

  /** Reads only names: the first command that just reads needs no more, and to look at each directory takes a third again. */
  private list({ path, zone, how }: Task, place: string): void {
    const directory = readDirectory({ path, place, zone, isRoot: false, stats: undefined, before: undefined })
    if (directory.entries.length === 0 && !statsOf(place)?.isDirectory()) return
    this.replace(path, undefined, directory)
    this.expectIn(directory, place, how, undefined)
  }

  private expectIn(directory: IndexedDirectory, place: string, how: Task["how"], names: Task["names"]): void {
    const { path, unread } = directory
    if (unread !== undefined && this.options.leavesUnread) return
    if (this.events || unread !== path || this.isNewIn(path, place)) this.expectBelow(directory, how, names)
  }

  /** The record of a directory: the one from before where nothing changed. */
  private current(task: Task, place: string, stats: Stats, before: IndexedDirectory | undefined): IndexedDirectory {
    const { path, zone, how } = task
    const isSame = before && how !== "changed" && !before.isDoubtful && before.stats?.ctimeMs === stats.ctimeMs
    // A mark that was written again is no mark any more.
    const isKept = isSame && !before.isClosed && (this.events ? true : before.unread !== path || isNamedUnread(path))
    const names = isKept ? before : readDirectory({ path, place, zone, isRoot: path === this.root, stats, before })
    if (!this.wantsFacts || names.observed === "none") {
      if (this.wantsFacts && names !== before) this.findLinked(names, before, place)
      return names
    }
    if (isKept && how === "walk" && names.facts) return names
    const facts = factsIn(names, place, stats)
    for (const name of facts.linked) {
      if (!before?.facts?.linked.includes(name)) this.newlyLinked.add(facts.entries.get(name)!.ino)
    }
    if (isKept && before.facts && isEqual(before.facts, facts)) return before
    return { ...names, facts }
  }

  /** New names in folders that are not observed may be further names of files that are. */
  private findLinked({ entries }: IndexedDirectory, before: IndexedDirectory | undefined, place: string): void {
    const known = new Set(before?.entries.map(({ name }) => name))
    for (const { name, kind } of entries) {
      if (kind !== "file" || known.has(name)) continue
      const stats = statsOf(`${place}/${name}`)
      if (stats && stats.nlink > 1) this.newlyLinked.add(stats.ino)
    }
  }

  private expectBelow(directory: IndexedDirectory, how: Task["how"], names: Task["names"]): void {
    for (const { name, kind } of directory.entries) {
      if (kind !== "directory") continue
      const path = below(directory.path, name)
      if (this.options.skip?.includes(path)) continue
      const zone = zoneBelow(directory, name, path)
      const isOne = how === "changed" || how === "check"
      if (isOne && this.isKept(path, zone, names?.has(name) || names?.has(null))) continue
      const task = { path, zone, how: isOne ? "walk" : how } as const
      ;(zone.unread === undefined ? this.tasks : this.unreadTasks).push(task)
    }
  }

  /** Whether a folder in one that changed is still the same. */
  private isKept(path: string, zone: Zone, isNamed: boolean | undefined): boolean {
    const known = this.known.get(path)
    if (!known) return false
    // It may have been exchanged for another and back while its watch was set: that would be a watch on the other.
    if (isNamed) {
      this.drop(path)
      return false
    }
    return isSameDirectory(known.stats, statsOf(this.at(path))) && !known.isClosed && !isMoved(known, zone)
  }

  private assertEvents(place: string, { dev }: Stats): void {
    const reason = dev === this.rootDev ? undefined : noEventsAt(place)
    if (reason !== undefined) throw new WatchRefused(reason)
  }

  private setWatch(path: string, place: string): "set" | "gone" | "closed" {
    const result = this.events!.watch(path, place)
    if (typeof result === "object") throw new WatchRefused(result.refused)
    return result
  }

  private replace(path: string, before: IndexedDirectory | undefined, after: IndexedDirectory | undefined): void {
    if (before) this.forget(before)
    if (after) this.remember(after)
    if (before && before.entries !== after?.entries) this.dropMissing(before, after)
    for (const listener of this.listeners) listener(path, before, after)
  }

  private dropMissing(before: IndexedDirectory, after: IndexedDirectory | undefined): void {
    const stays = new Set(after?.entries.flatMap(({ name, kind }) => (kind === "directory" ? [name] : [])))
    for (const { name, kind } of before.entries) {
      if (kind === "directory" && !stays.has(name)) this.drop(below(before.path, name))
    }
  }

  private forget({ path, unread, entries, isOdd }: IndexedDirectory): void {
    this.known.delete(path)
    this.withLinks.delete(path)
    this.factless.delete(path)
    if (unread === undefined) this.entryCount -= entries.length
    if (isOdd) this.oddCount -= 1
    this.unreadTops.delete(path)
  }

  private remember(directory: IndexedDirectory): void {
    const { path, unread, entries, isOdd, facts, observed } = directory
    this.known.set(path, directory)
    if (unread === undefined) this.entryCount += entries.length
    if (isOdd) this.oddCount += 1
    if (unread === path) this.unreadTops.add(path)
    if (facts?.linked.length) this.withLinks.add(path)
    if (this.wantsFacts && !facts && observed !== "none") this.factless.add(path)
  }

  /** Forgets a directory and all below it. */
  private drop(path: string): void {
    this.events?.unwatch(path)
    const before = this.known.get(path)
    if (before) this.replace(path, before, undefined)
  }

  /** Whether a folder that tools fill was changed by one of them since the last scan, or not read to the end then. */
  private isNewIn(path: string, place: string): boolean {
    const stamp = ["", ...records].map((name) => statsOf(join(place, name))?.ctimeMs).join()
    if (this.stamps.get(path) === stamp && !this.leftBefore.has(path)) return false
    this.stamps.set(path, stamp)
    return true
  }

  private async readFacts(limits: ScanLimits): Promise<boolean> {
    if (!this.wantsFacts) {
      this.wantsFacts = true
      for (const { path, observed } of this.known.values()) if (observed !== "none") this.factless.add(path)
    }
    const turns = createTurns(() => this.pause())
    // By way of the held directory each look costs twice as much: the plain path is used while it leads to the same one.
    const isPlain = this.isInPlace()
    const read: string[] = []
    for (const path of this.factless) {
      const place = isPlain ? path : this.at(path)
      const before = this.known.get(path)
      const stats = before?.stats ?? statsOf(place)
      this.factless.delete(path)
      read.push(path)
      // What has gone meanwhile is told by an event.
      if (stats && before) this.replace(path, before, { ...before, facts: factsIn(before, place, stats) })
      if (turns.isOver(limits.maxMs)) break
      await turns.breathe()
    }
    if (isPlain && !this.isInPlace()) for (const path of read) this.factless.add(path)
    return this.factless.size === 0 && !this.isClosed
  }

  private isInPlace(): boolean {
    return isSameDirectory(statsOf(this.at(this.root)), statsOf(this.root))
  }

  /** A file with several names changes in all their directories, and only one of them is told of. */
  private async followLinks(limits: ScanLimits): Promise<void> {
    if (!this.wantsFacts) return
    for (const path of this.withLinks) {
      const { facts } = this.known.get(path)!
      const isChanged = facts!.linked.some(
        (name) => !isSame(facts!.entries.get(name), statsOf(`${this.at(path)}/${name}`)),
      )
      if (isChanged) this.expect(path, none)
    }
    if (this.newlyLinked.size > 0) {
      for (const { path, facts } of this.known.values()) {
        for (const [name, { ino }] of facts?.entries ?? []) {
          if (this.newlyLinked.has(ino) && !facts!.linked.includes(name)) this.expect(path, none)
        }
      }
      this.newlyLinked.clear()
    }
    if (this.tasks.length > 0 && this.ended === undefined) await this.walk(limits)
    this.newlyLinked.clear()
  }

  private inTurn<Result>(work: () => Promise<Result>, pace: "now" | "idle" = "now"): Promise<Result> {
    if (pace === "now") {
      this.waiting += 1
      this.wake?.()
    }
    const turn = this.last.then(work)
    const ended = () => {
      if (pace === "now") this.waiting -= 1
    }
    this.last = turn.then(ended, ended)
    return turn
  }

  /** Lets others run: for a moment when somebody waits for the end of the work, else for longer. */
  private pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting > 0) return void setImmediate(resolve)
      const timer = setTimeout(() => this.wake?.(), idlePauseMs).unref()
      this.wake = () => {
        clearTimeout(timer)
        this.wake = undefined
        resolve()
      }
    })
  }
}

const idlePauseMs = 8
/** Package managers write these at the end; a folder deep inside changes without its top, and nothing but they does that. */
const records = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", "pyvenv.cfg", "CACHEDIR.TAG"]

class WatchRefused extends Error {}

/** The path of an entry; a root may be `/`. */
function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`
}

function isSameDirectory(one: Stats | undefined, other: Stats | undefined): boolean {
  return other !== undefined && one?.ino === other.ino && one.dev === other.dev && other.isDirectory()
}

/** A folder that has become part of another zone is read as a new one. */
function isMoved(known: IndexedDirectory, zone: Zone): boolean {
  if (known.observed !== zone.observed) return true
  // A folder with a mark is the top of its own zone.
  return known.unread !== zone.unread && known.unread !== known.path
}

function isNamedUnread(path: string): boolean {
  return /\/(node_modules|__pycache__|\.git\/objects|\.git\/lfs)$/.test(path)
}

function isSame(entry: Entry | undefined, stats: Stats | undefined): boolean {
  return entry !== undefined && stats !== undefined && sameContent(entry, stats) && entry.mode === (stats.mode & 0o7777)
}

function isEqual(one: NonNullable<IndexedDirectory["facts"]>, other: NonNullable<IndexedDirectory["facts"]>): boolean {
  if (one.entries.size !== other.entries.size || one.isClosed !== other.isClosed || one.self.mode !== other.self.mode)
    return false
  for (const [name, entry] of one.entries) {
    const now = other.entries.get(name)
    if (!now || entry.kind !== now.kind || entry.mode !== now.mode || !sameContent(entry, now)) return false
  }
  return true
}

/** What is mounted makes no event in the directory that it covers. */
function readMounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
  } catch {
    return ""
  }
}

/** ext2 to ext4, xfs, btrfs, tmpfs, f2fs, zfs, bcachefs: nobody but this machine changes what is on them. */
const localTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e])

function noEventsAt(place: string): string | undefined {
  if (process.platform !== "linux") return `events of directories are not used on ${process.platform}`
  try {
    const type = Number(statfsSync(place).type) >>> 0
    return localTypes.has(type)
      ? undefined
      : `its file system (type 0x${type.toString(16)}) is not known to tell of every change`
  } catch (error) {
    return `its file system cannot be asked (${(error as NodeJS.ErrnoException).code ?? String(error)})`
  }
}
