import type { Stats } from "node:fs"
import { basename, join } from "node:path"
import { statsOf } from "../files/system/look.js"
import { noEventsAt } from "./directory-events.js"
import { isSameFacts, readFactsOf } from "./directory-facts.js"
import type { KnownDirectories } from "./known-directories.js"
import {
  below,
  type IndexedDirectory,
  isMoved,
  isNamedUnread,
  isSameDirectory,
  readDirectory,
  type Zone,
  zoneBelow,
} from "./read-directory.js"

export interface VisitOptions {
  /** Folders of which nothing is read. */
  readonly skip?: readonly string[]
  /** The folders that tools fill by themselves are named, and nothing in them is read. */
  readonly leavesUnread?: boolean
}

/** How a directory is to be visited. */
interface Task {
  readonly path: string
  readonly zone: Zone
  /**
   * `walk` goes through all below and trusts the time of the last change, `rewatch` does so with new watches and looks at
   * every file; `changed` reads one directory again and goes into what is new, `check` only looks at its files again.
   */
  readonly how: "walk" | "rewatch" | "changed" | "check"
  /** Names that came or went: what is there now may be another directory. */
  readonly names?: ReadonlySet<string | null>
}

const rootZone: Zone = { unread: undefined, observed: "plain" }
/** Package managers write these at the end; a folder deep inside changes without its top, and nothing but they does that. */
const records = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", "pyvenv.cfg", "CACHEDIR.TAG"]

/** The directories that have to be visited, and what a visit does: it replaces the record of one and expects those below. */
export class DirectoryVisits {
  tasks: Task[] = []
  /** Those in folders that tools fill by themselves: they come last. */
  unreadTasks: Task[] = []
  /** The first scan, which reads nothing but names. */
  isListing = false
  /** The folders that tools fill which the scan before did not read to the end. */
  leftBefore: ReadonlySet<string> = new Set()
  /** The device of the root, where events are known to be delivered. */
  rootDev: number | undefined
  private readonly known: KnownDirectories
  private readonly options: VisitOptions
  /** Where every refresh scans: what tells that a folder which tools fill has changed. */
  private readonly stamps = new Map<string, string>()

  constructor(known: KnownDirectories, options: VisitOptions) {
    this.known = known
    this.options = options
    known.onSeen = (place, dev) => this.assertEvents(place, dev)
  }

  /** Everything is visited, from the root on; what was expected before is part of that. */
  expectRoot(how: "walk" | "rewatch"): void {
    this.unreadTasks = []
    this.tasks = [{ path: this.known.root, zone: rootZone, how }]
  }

  /** By directory, the names that came or went in it. */
  expectChanged(changed: ReadonlyMap<string, ReadonlySet<string | null>>): void {
    const { root, at, byPath } = this.known
    // An event with its own name means that it was moved or removed. A new one in its place may have the number of the old one.
    if (changed.get(root)?.has(basename(at(root)))) {
      this.known.drop(root)
      this.tasks.push({ path: root, zone: rootZone, how: "walk" })
    }
    for (const [path, names] of changed) {
      this.expect(path, names)
      const parent = byPath.get(path)?.observed === "none" ? path.slice(0, path.lastIndexOf("/")) : undefined
      // Of a package only the time of its last change is known, and that is kept with the folder above.
      if (parent !== undefined && byPath.get(parent)?.observed === "packages") this.expect(parent)
    }
    // Parents last, so that they are taken first: what is in a folder that has gone need not be read.
    this.tasks.sort((one, other) => other.path.length - one.path.length)
  }

  expect(path: string, names: ReadonlySet<string | null> = new Set()): void {
    const task = this.taskFor(path, "changed", names)
    if (task) this.tasks.push(task)
  }

  /** Looks at the files of a directory again, at once. */
  check(path: string): void {
    const task = this.taskFor(path, "check")
    if (task) this.visit(task)
  }

  visit(task: Task): void {
    const { path, zone, how, names } = task
    const place = this.known.at(path)
    const isOne = how === "changed" || how === "check"
    let before = this.known.byPath.get(path)
    if (!before && isOne) return
    // Files in installed packages are not looked at, so nothing would tell later how such a directory was.
    const isLater = !this.known.events || zone.observed !== "none"
    if (this.isListing && isLater && !before && path !== this.known.root) {
      this.list(task, place)
      return
    }
    let stats = before?.stats && statsOf(place)
    if (before && (isMoved(before, zone) || (before.stats && !isSameDirectory(before.stats, stats)))) {
      this.known.drop(path)
      before = undefined
    }
    // What it was before it was watched may have changed without an event.
    if (this.known.events && (how === "rewatch" || !this.known.events.has(path)))
      stats = this.setWatch(path, place) === "gone" ? undefined : statsOf(place)
    else stats ??= statsOf(place)
    if (!stats?.isDirectory()) {
      this.known.drop(path)
      return
    }
    if (this.known.events) this.assertEvents(place, stats.dev)
    const directory = this.current(task, place, stats, before)
    if (directory !== before) this.known.replace(path, before, directory)
    if (how === "check" && directory === before) return
    this.expectIn(directory, place, how, names)
  }

  /**
   * Reads only names: the first command that just reads needs no more, and to look at each directory takes a third again.
   * For one that may write, the look at all entries finds directories too.
   */
  private list({ path, zone, how }: Task, place: string): void {
    if (this.known.events && this.setWatch(path, place) === "gone") return
    const directory = readDirectory({ path, place, zone, isRoot: false, stats: undefined, before: undefined })
    if (directory.entries.length === 0 && !statsOf(place)?.isDirectory()) return
    this.known.replace(path, undefined, directory)
    if (zone.observed !== "none") this.known.ahead?.add(directory, place)
    this.expectIn(directory, place, how, undefined)
  }

  private expectIn(directory: IndexedDirectory, place: string, how: Task["how"], names: Task["names"]): void {
    const { path, unread } = directory
    if (unread !== undefined && this.options.leavesUnread) return
    if (this.known.events || unread !== path || this.isNewIn(path, place)) this.expectBelow(directory, how, names)
  }

  /** The record of a directory: the one from before where nothing changed. */
  private current(task: Task, place: string, stats: Stats, before: IndexedDirectory | undefined): IndexedDirectory {
    const { path, zone, how } = task
    const isSame = before && how !== "changed" && !before.isDoubtful && before.stats?.ctimeMs === stats.ctimeMs
    // A mark that was written again is no mark any more.
    const isKept =
      isSame && !before.isClosed && (this.known.events ? true : before.unread !== path || isNamedUnread(path))
    const names = isKept
      ? before
      : readDirectory({ path, place, zone, isRoot: path === this.known.root, stats, before })
    if (!this.known.wantsFacts || names.observed === "none") {
      if (this.known.wantsFacts && names !== before) this.findLinked(names, before, place)
      return names
    }
    if (isKept && how === "walk" && names.facts) return names
    const facts = readFactsOf(names, place, stats)
    for (const name of facts.linked) {
      if (!before?.facts?.linked.includes(name)) this.known.newlyLinked.add(facts.entries.get(name)!.ino)
    }
    if (isKept && before.facts && isSameFacts(before.facts, facts)) return before
    return { ...names, facts }
  }

  /** New names in folders that are not observed may be further names of files that are. */
  private findLinked({ entries }: IndexedDirectory, before: IndexedDirectory | undefined, place: string): void {
    const known = new Set(before?.entries.files)
    for (const name of entries.files) {
      if (known.has(name)) continue
      const stats = statsOf(`${place}/${name}`)
      if (stats && stats.nlink > 1) this.known.newlyLinked.add(stats.ino)
    }
  }

  private expectBelow(directory: IndexedDirectory, how: Task["how"], names: Task["names"]): void {
    for (const name of directory.entries.folders) {
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
    const known = this.known.byPath.get(path)
    if (!known) return false
    // It may have been exchanged for another and back while its watch was set: that would be a watch on the other.
    if (isNamed) {
      this.known.drop(path)
      return false
    }
    return isSameDirectory(known.stats, statsOf(this.known.at(path))) && !known.isClosed && !isMoved(known, zone)
  }

  private taskFor(path: string, how: "changed" | "check", names: Task["names"] = new Set()): Task | undefined {
    const directory = this.known.byPath.get(path)
    if (!directory) return undefined
    const { observed, unread } = directory
    // Whether a folder with a mark still has it is found out by reading it.
    const isMarked = unread === path && !isNamedUnread(path)
    return { path, zone: { observed, unread: isMarked ? undefined : unread }, how, names }
  }

  /** Whether a folder that tools fill was changed by one of them since the last scan, or not read to the end then. */
  private isNewIn(path: string, place: string): boolean {
    const stamp = ["", ...records].map((name) => statsOf(join(place, name))?.ctimeMs).join()
    if (this.stamps.get(path) === stamp && !this.leftBefore.has(path)) return false
    this.stamps.set(path, stamp)
    return true
  }

  private assertEvents(place: string, dev: number): void {
    const reason = dev === this.rootDev ? undefined : noEventsAt(place)
    if (reason !== undefined) throw new WatchRefused(reason)
  }

  private setWatch(path: string, place: string): "set" | "gone" | "closed" {
    const result = this.known.events!.watch(path, place)
    if (typeof result === "object") throw new WatchRefused(result.refused)
    return result
  }
}

/** A directory cannot be watched, or not every change in it is reported. */
export class WatchRefused extends Error {}
