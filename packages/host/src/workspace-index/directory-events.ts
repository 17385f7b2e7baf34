import { type FSWatcher, mkdirSync, readFileSync, rmSync, statfsSync, unlinkSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { errnoOf } from "../files/system/errno.js"

/** How the watch on a directory was set. */
export type WatchResult = "set" | "gone" | "closed" | { readonly refused: string }

/** Called for an event: in which directory, under which name, and whether a name came or went. */
export type OnDirectoryEvent = (path: string, name: string | null, isRename: boolean) => void

/** What a set of watches needs. */
export interface DirectoryEventsOptions {
  /** A folder of ours, in which cookie files are made. */
  readonly cookieFolder: string
  readonly onEvent: OnDirectoryEvent
  /** So many directories are watched at most. */
  readonly maxWatches?: number
  /** So many events fit into the queue of the kernel; asked of the kernel where it is not given. */
  readonly queueLength?: number
  /** How long a cookie may take. */
  readonly cookieMs?: number
}

/**
 * All watches of a process share one inotify queue, which belongs to its event loop: what arrives for one index takes room
 * from all. So this count cannot live in an object of one session.
 */
const delivered = { count: 0 }

const defaultMaxWatches = 60_000
const defaultCookieMs = 1500
const minBetweenCookies = 256
/** Other watchers in this process use the same queue and are not counted here: this part of it is left to them. */
const countedShare = 0.5

/** Watches on directories, and a way to know that all events so far have arrived. Does not keep the process alive. */
export class DirectoryEvents {
  private readonly options: DirectoryEventsOptions
  private readonly watchers = new Map<string, FSWatcher>()
  private readonly maxWatches: number
  private readonly maxCounted: number
  private cookieWatcher: FSWatcher | undefined
  private awaited: { readonly name: string; readonly seen: () => void } | undefined
  private cookies = 0
  private last: Promise<unknown> = Promise.resolve()
  /** Counts when the last two cookies were seen. */
  private counts: readonly [number, number] = [delivered.count, delivered.count]
  private isLost = false
  private isSettling = false
  private isClosed = false

  constructor(options: DirectoryEventsOptions) {
    this.options = options
    this.maxWatches = Math.min(options.maxWatches ?? defaultMaxWatches, kernelNumber("max_user_watches", 8192) / 2)
    this.maxCounted = (options.queueLength ?? kernelNumber("max_queued_events", 16_384)) * countedShare
  }

  /** How many directories are watched. */
  get size(): number {
    return this.watchers.size
  }

  /** Opens the folder of the cookies; the reason where nothing can be watched. */
  open(): string | undefined {
    try {
      mkdirSync(this.options.cookieFolder, { recursive: true, mode: 0o700 })
      this.cookieWatcher = watch(this.options.cookieFolder, { persistent: false }, (_event, name) => {
        this.count()
        if (this.awaited?.name === name) this.seeCookie()
      })
      this.cookieWatcher.on("error", () => this.lose())
      return undefined
    } catch (error) {
      return refusal(error)
    }
  }

  has(path: string): boolean {
    return this.watchers.has(path)
  }

  /** Watches the directory at a place of the file system under the path that events are to name. */
  watch(path: string, place: string): WatchResult {
    this.unwatch(path)
    if (this.watchers.size >= this.maxWatches) return { refused: `more than ${this.maxWatches} directories` }
    try {
      const watcher = watch(place, { persistent: false }, (event, name) => {
        this.count()
        this.options.onEvent(path, name, event === "rename")
      })
      // A watcher that fails must not end the process: the next full scan finds what it would have reported.
      watcher.on("error", () => this.lose())
      this.watchers.set(path, watcher)
      return "set"
    } catch (error) {
      const code = errnoOf(error)
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return "gone"
      return code === "EACCES" || code === "EPERM" ? "closed" : { refused: refusal(error) }
    }
  }

  unwatch(path: string): void {
    const watcher = this.watchers.get(path)
    if (!watcher) return
    // The kernel puts one more event into the queue, which Node does not report.
    delivered.count += 1
    this.watchers.delete(path)
    watcher.close()
  }

  /** Something was missed, or may have been: the next `settle` says so. */
  lose(): void {
    this.isLost = true
  }

  /** From now on nothing counts as missed. */
  beginAnew(): void {
    this.isLost = false
    this.counts = [delivered.count, delivered.count]
  }

  /**
   * Resolves when every event of what happened before has arrived; to false where events may be missing. The kernel drops
   * events when its queue is full, and Node does not report it. A full queue is delivered later, though, so the number of
   * events since the cookie before the last shows it: a cookie in the middle of a full queue splits that number in two.
   */
  settle(): Promise<boolean> {
    const turn = this.last.then(() => this.passCookie())
    this.last = bestEffort("the failure is its own caller's; the next one takes its turn", turn)
    return turn
  }

  close(): void {
    this.isClosed = true
    for (const watcher of this.watchers.values()) watcher.close()
    delivered.count += this.watchers.size
    this.watchers.clear()
    this.cookieWatcher?.close()
    this.seeCookie()
    rmSync(this.options.cookieFolder, { recursive: true, force: true })
  }

  private async passCookie(): Promise<boolean> {
    if (this.isClosed) return false
    this.cookies += 1
    const name = `${process.pid}-${this.cookies}`
    const path = join(this.options.cookieFolder, name)
    if (!(await this.isSeen(name, path))) this.isLost = true
    if (delivered.count - this.counts[0] >= this.maxCounted) this.isLost = true
    this.counts = [this.counts[1], delivered.count]
    return !this.isLost && !this.isClosed
  }

  private isSeen(name: string, path: string): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isSeen: boolean) => {
        clearTimeout(timer)
        bestEffort("the session's folder is being removed", () => unlinkSync(path))
        resolve(isSeen)
      }
      const timer = setTimeout(() => {
        this.awaited = undefined
        end(false)
      }, this.options.cookieMs ?? defaultCookieMs)
      // Events are read until there are none left: a cookie that is answered with the next one would keep the loop here.
      this.awaited = { name, seen: () => setImmediate(() => end(!this.isClosed)) }
      try {
        writeFileSync(path, "", { flag: "wx", mode: 0o600 })
      } catch {
        this.awaited = undefined
        end(false)
      }
    })
  }

  /** Each cookie is seen once, however many events report it. */
  private seeCookie(): void {
    const { awaited } = this
    this.awaited = undefined
    awaited?.seen()
  }

  private count(): void {
    delivered.count += 1
    // Cookies in between keep a long command with many changes from looking like a full queue.
    if (this.isSettling || delivered.count - this.counts[1] < Math.max(this.maxCounted / 4, minBetweenCookies)) return
    this.isSettling = true
    void this.settle().finally(() => {
      this.isSettling = false
    })
  }
}

function refusal(error: unknown): string {
  const code = errnoOf(error)
  if (code === "ENOSPC") return "the user's limit of inotify watches (fs.inotify.max_user_watches) is reached"
  if (code === "EMFILE") return "the user's limit of inotify instances (fs.inotify.max_user_instances) is reached"
  return `directories cannot be watched (${code ?? String(error)})`
}

function kernelNumber(name: string, otherwise: number): number {
  try {
    const found = Number(readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8"))
    return Number.isFinite(found) && found > 0 ? found : otherwise
  } catch {
    return otherwise
  }
}

/** ext2 to ext4, xfs, btrfs, tmpfs, f2fs, zfs, bcachefs: nobody but this machine changes what is on them. */
const localTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e])

/** Why events are not used for what is at a place. */
export function noEventsAt(place: string): string | undefined {
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

/** What is mounted makes no event in the directory that it covers. */
export function readMounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
  } catch {
    return ""
  }
}
