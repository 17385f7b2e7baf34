import { statsOf } from "../files/system/look.js"
import { createTurns, type Turns } from "./create-turns.js"
import { type DirectoryEvents, readMounts } from "./directory-events.js"
import { WrittenNames } from "./directory-facts.js"
import type { KnownDirectories, ScanLimits } from "./known-directories.js"
import { type DirectoryVisits, WatchRefused } from "./visit-directory.js"

const none: ReadonlySet<never> = new Set()
/** Reading the folders that tools fill by themselves: half a million names take about a second. */
const unreadMs = 3000

/** Brings the known directories up to date: by events where directories are watched, else by a scan. */
export class DirectoryRefresh {
  /** Whether directories are being read: what is known meanwhile may be neither the old nor the new. */
  isWalking = false
  /** Why not everything was read. */
  ended: string | undefined
  /** The folders that tools fill which were not read to the end. */
  left: ReadonlySet<string> = none
  /** A file may have been written through a name that it has lost since. */
  isDoubtful = false
  /** Why directories cannot be watched any more. */
  refused: string | undefined
  private readonly known: KnownDirectories
  private readonly visits: DirectoryVisits
  private readonly pause: () => Promise<void>
  private mounts = ""
  /** By directory, the names that events reported. */
  private dirty = new Map<string, Set<string | null>>()
  private readonly written = new WrittenNames()

  constructor(known: KnownDirectories, visits: DirectoryVisits, pause: () => Promise<void>) {
    this.known = known
    this.visits = visits
    this.pause = pause
  }

  async update(limits: ScanLimits): Promise<void> {
    if (this.known.isClosed) return
    if (!this.known.events) return this.scan(limits)
    const isComplete = await this.known.events.settle()
    if (!this.known.events || this.known.isClosed) return
    if (this.written.take()) this.isDoubtful = true
    const { mounts } = this
    this.mounts = readMounts()
    if (!isComplete || mounts !== this.mounts) this.expectAll(this.known.events)
    else if (this.dirty.size > 0 || this.visits.tasks.length > 0) {
      const { dirty } = this
      this.dirty = new Map()
      this.visits.expectChanged(dirty)
    }
    await this.watched(limits, async () => {
      await this.walk(limits)
      await this.followLinks(limits)
    })
  }

  /** Reads everything once more, with a watch on each directory; only names where files are looked at right after. */
  watchAll(events: DirectoryEvents, limits: ScanLimits, next: "facts" | undefined): Promise<void> {
    this.known.events = events
    this.mounts = readMounts()
    this.visits.rootDev = statsOf(this.known.at(this.known.root))?.dev
    this.visits.expectRoot("walk")
    return this.watched(limits, () => (next === "facts" ? this.listForFacts(limits) : this.walk(limits)))
  }

  /** Looks at files that nobody looked at yet; false where not all was looked at, or events may be missing. */
  async readFacts(limits: ScanLimits): Promise<boolean> {
    let isWhole = false
    await this.watched(limits, async () => {
      isWhole = await this.known.readFacts(limits, createTurns(this.pause))
    })
    return isWhole && this.known.events !== undefined
  }

  /** Looks at every file again, as long as it may go on; false where it was stopped. */
  async checkAll(limits: ScanLimits, mayGoOn: () => boolean): Promise<boolean> {
    const turns = createTurns(this.pause)
    let isWhole = true
    await this.watched(limits, async () => {
      this.isWalking = true
      for (const path of this.known.events ? [...this.known.byPath.keys()] : []) {
        this.visits.check(path)
        const pause = turns.breathe()
        if (!pause) continue
        await pause
        isWhole = !this.known.isClosed && mayGoOn()
        if (isWhole) continue
        this.isWalking = false
        return
      }
      await this.walk(limits)
    })
    if (isWhole) this.isDoubtful = false
    return isWhole
  }

  /** An event reported a name, or somebody says that a directory is not as it is known. */
  note(path: string, name: string | null, isRename: boolean): void {
    if (this.known.wantsFacts || this.known.ahead) this.written.note(`${path}/${name}`, isRename)
    const names = this.dirty.get(path)
    if (names) {
      if (isRename) names.add(name)
    } else this.dirty.set(path, new Set(isRename ? [name] : []))
  }

  forget(): void {
    this.dirty.clear()
    this.visits.tasks = []
    this.visits.unreadTasks = []
  }

  /** Reads every directory that changed since the last scan, by the time of its last change. */
  private async scan(limits: ScanLimits): Promise<void> {
    this.visits.leftBefore = this.left
    this.visits.expectRoot("walk")
    await (this.known.byPath.size === 0 ? this.list(limits) : this.walk(limits))
  }

  /** Reads names alone of directories that are not known yet. */
  private async list(limits: ScanLimits): Promise<void> {
    this.visits.isListing = true
    try {
      await this.walk(limits)
    } finally {
      this.visits.isListing = false
    }
  }

  /** Reads names while the files of each directory are looked at ahead. */
  private async listForFacts(limits: ScanLimits): Promise<void> {
    const { known, visits } = this
    known.lookAhead()
    if (await known.byPlainPaths(() => this.list(limits))) return
    known.drop(known.root)
    visits.expectRoot("walk")
    known.lookAhead()
    await this.list(limits)
  }

  /** Goes back to scanning when a directory cannot be watched, and gives all watches back: other programs need them too. */
  private async watched(limits: ScanLimits, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof WatchRefused)) throw error
      this.refused = error.message
      this.known.events?.close()
      this.known.events = undefined
      this.dirty.clear()
      this.known.forgetFacts()
      await this.scan(limits)
    }
  }

  /** Events were lost, or something was mounted: every watch is set anew, and every file looked at again. */
  private expectAll(events: DirectoryEvents): void {
    this.dirty.clear()
    this.isDoubtful = false
    events.beginAnew()
    this.visits.expectRoot("rewatch")
  }

  private async followLinks(limits: ScanLimits): Promise<void> {
    if (!this.known.wantsFacts) return
    for (const path of this.known.changedByLinks()) this.visits.expect(path)
    this.known.newlyLinked.clear()
    if (this.visits.tasks.length > 0 && this.ended === undefined) await this.walk(limits)
    this.known.newlyLinked.clear()
  }

  /** Works through the tasks; those that are left when time is up stay for the next refresh. */
  private async walk(limits: ScanLimits): Promise<void> {
    this.isWalking = true
    try {
      // A caller that asks while a walk runs must not get half of what it finds.
      const { ended, left } = await this.workThrough(limits)
      this.ended = ended
      this.left = left
    } finally {
      this.isWalking = false
    }
  }

  private async workThrough({ maxMs, maxEntries }: ScanLimits): Promise<Pick<DirectoryRefresh, "ended" | "left">> {
    const turns = createTurns(this.pause)
    let unread: Turns | undefined
    while (!this.known.isClosed) {
      const task = this.visits.tasks.pop() ?? this.visits.unreadTasks.pop()
      const isOver = this.known.entryCount > maxEntries
      const tooMany = `it has more than ${maxEntries} entries`
      if (!task) return { ended: isOver ? tooMany : undefined, left: none }
      const isOne = task.how === "changed" || task.how === "check"
      if (task.zone.unread === undefined || isOne) {
        const isLate = turns.isOver(maxMs)
        if (isLate || (isOver && !isOne)) {
          this.visits.tasks.push(task)
          return { ended: isLate ? `looking through it took longer than ${maxMs} ms` : tooMany, left: none }
        }
      } else {
        unread ??= createTurns(this.pause)
        if (unread.isOver(unreadMs)) {
          this.visits.unreadTasks.push(task)
          const left = new Set(this.visits.unreadTasks.flatMap(({ zone }) => zone.unread ?? []))
          return { ended: isOver ? tooMany : undefined, left }
        }
      }
      this.visits.visit(task)
      await (unread ?? turns).breathe()
    }
    return { ended: "it is closed", left: none }
  }
}
