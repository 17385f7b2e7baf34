import { DirectoryEvents, type DirectoryEventsOptions, noEventsAt } from "./directory-events.js"
import { KnownDirectories, type ScanLimits } from "./known-directories.js"
import type { IndexedDirectory, OnReplaced } from "./read-directory.js"
import { DirectoryRefresh } from "./refresh-directories.js"
import { DirectoryVisits, type VisitOptions } from "./visit-directory.js"

/** Where an index looks, and how it learns of changes. */
export interface WorkspaceIndexOptions extends VisitOptions {
  /** Absolute, links followed. */
  readonly root: string
  /** Where to look for what has this path, when it is to be looked for in a directory that is held. */
  readonly at?: (path: string) => string
  /** A folder of ours for cookie files; without it every refresh scans. */
  readonly cookieFolder?: string
  readonly events?: Pick<DirectoryEventsOptions, "maxWatches" | "queueLength" | "cookieMs">
  /** From so many entries on a second thread looks at files when all are looked at for the first time. */
  readonly threadFrom?: number
}

const idlePauseMs = 8

/**
 * The names below a root, and what undo needs to know of its files. Scanned by the first refresh; later ones read only what
 * events reported, once `watch` was called and where directories can be watched. Without events each refresh scans: the
 * time of the last change tells which directories have to be read again.
 *
 * Writes through `mmap` make no event, nor do writes to a file through a hard link that was made and removed in between:
 * `reconcile` finds those.
 */
export class WorkspaceIndex {
  readonly root: string
  private readonly options: WorkspaceIndexOptions
  private readonly known: KnownDirectories
  private readonly refreshing: DirectoryRefresh
  /** Why events were never used. */
  private readonly unwatchable: string | undefined
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private wake: (() => void) | undefined

  constructor(options: WorkspaceIndexOptions) {
    const { root, at = (path: string) => path, cookieFolder } = options
    this.options = options
    this.root = root
    this.known = new KnownDirectories(root, at, options.threadFrom)
    this.refreshing = new DirectoryRefresh(this.known, new DirectoryVisits(this.known, options), () => this.pause())
    this.unwatchable = cookieFolder === undefined ? "it was not asked for" : noEventsAt(at(root))
  }

  /** Brings the names up to date. */
  refresh(limits: ScanLimits): Promise<void> {
    return this.whileCurrent(limits, async () => undefined)
  }

  /** The same, and then does work that nothing may change the index under. The work must not ask for a refresh itself. */
  whileCurrent<Result>(limits: ScanLimits, work: () => Promise<Result>): Promise<Result> {
    return this.inTurn(async () => {
      await this.refreshing.update(limits)
      // An index that is closed knows nothing, and nobody may take that for an empty workspace.
      if (this.known.isClosed) throw new Error(`The index of "${this.root}" is closed`)
      return work()
    })
  }

  /** Whether directories are being read: what is known meanwhile may be neither the old nor the new. */
  isChanging(): boolean {
    return this.refreshing.isWalking
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
      if (!this.known.events && !(await this.arm(limits, "facts"))) return false
      await this.refreshing.update(limits)
      if (this.refreshing.isDoubtful) await this.refreshing.checkAll(limits, () => true)
      return this.isWhole() && (await this.refreshing.readFacts(limits))
    })
  }

  /** Looks at every file again, and finds what no event reported. While idle it gives way to callers that wait. */
  reconcile(limits: ScanLimits, pace: "now" | "idle" = "now"): Promise<boolean> {
    return this.inTurn(async () => {
      await this.refreshing.update(limits)
      return this.refreshing.checkAll(limits, () => pace === "now" || this.waiting === 0)
    }, pace)
  }

  /** Something in a directory is not as it is known: it is read again by the next refresh. */
  suspect(path: string): void {
    if (this.known.byPath.has(path)) this.refreshing.note(path, null, false)
  }

  /** The directories that are read, without the folders that tools fill by themselves. */
  *directories(): Iterable<IndexedDirectory> {
    for (const directory of this.known.byPath.values()) if (directory.unread === undefined) yield directory
  }

  /** All directories. */
  all(): Iterable<IndexedDirectory> {
    return this.known.byPath.values()
  }

  get(path: string): IndexedDirectory | undefined {
    return this.known.byPath.get(path)
  }

  /** Why not everything was read, if so. */
  stopped(): string | undefined {
    return this.refreshing.ended
  }

  /** Folders that tools fill by themselves. */
  unread(): readonly string[] {
    return [...this.known.unreadTops]
  }

  /** Those of them that were not read to the end. */
  unfinished(): readonly string[] {
    return [...this.refreshing.left]
  }

  /** Whether names that are no text are in it: what is below such a folder is in no index. */
  isOdd(): boolean {
    return this.known.oddCount > 0
  }

  /** Why every refresh scans; undefined where events tell what changed, or nobody asked for that yet. */
  whyUnwatched(): string | undefined {
    return this.unwatchable ?? this.refreshing.refused
  }

  /** The reason where watches were refused that would otherwise be there. */
  whyRefused(): string | undefined {
    return this.refreshing.refused
  }

  isWatching(): boolean {
    return this.known.events !== undefined
  }

  subscribe(listener: OnReplaced): () => void {
    this.known.listeners.add(listener)
    return () => this.known.listeners.delete(listener)
  }

  close(): void {
    this.known.close()
    this.wake?.()
    this.refreshing.forget()
  }

  private isWhole(): boolean {
    return this.known.events !== undefined && this.refreshing.ended === undefined && this.known.oddCount === 0
  }

  private async arm(limits: ScanLimits, next?: "facts"): Promise<boolean> {
    const { known, refreshing, options } = this
    if (known.events || this.whyUnwatched() !== undefined || known.isClosed) return known.events !== undefined
    const events = new DirectoryEvents({
      ...options.events,
      cookieFolder: options.cookieFolder!,
      onEvent: (path, name, isRename) => refreshing.note(path, name, isRename),
    })
    refreshing.refused = events.open()
    if (refreshing.refused === undefined) await refreshing.watchAll(events, limits, next)
    else events.close()
    return known.events !== undefined
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
