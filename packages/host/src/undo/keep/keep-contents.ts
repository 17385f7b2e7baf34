import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, type Stats } from "node:fs"
import { basename, dirname } from "node:path"
import { bestEffort, isInside, type SandboxedGrant } from "@haft/contract"
import { contentHash } from "../../files/system/content-hash.js"
import { createTurns } from "../../workspace-index/create-turns.js"
import type { ObserveLimits } from "../record/observe-limits.js"
import type { Entry, Snapshot } from "../record/scan-workspace.js"
import type { ContentPack } from "./content-pack.js"
import { maxObjectBytes } from "./history-object.js"

/** What a grant says about files before a command. */
export type KeepGrant = Pick<SandboxedGrant, "admits" | "denies" | "mayKeep" | "writes">

/** What the decision about one file needs. */
export interface KeepRequest {
  readonly grant: KeepGrant
  readonly limits: ObserveLimits
}

/** What of a workspace is to be copied. */
export interface KeepSource {
  /** How files are that a command may change next. */
  readonly snapshot: Pick<Snapshot, "get">
  readonly grant: KeepGrant
  /** Called for a file that is not as it was seen. */
  readonly onDifferent?: (path: string) => void
}

/**
 * Copies files that a command might change or delete. First those that the command was judged to write, then what was
 * changed last: that is what people lose most. What there was no time for is copied while the session is idle.
 */
export class KeptContents {
  private readonly pack: ContentPack
  private readonly limits: ObserveLimits
  /** Files that changed since all were offered: the last one is copied next. */
  private changed: string[] = []
  private waiting = new NewestFiles()
  /** Files that there was no room for. */
  private skipped: Wanted[] = []
  private packed = -1

  constructor(pack: ContentPack, limits: ObserveLimits) {
    this.pack = pack
    this.limits = limits
  }

  /** Whether all has to be offered: nothing was yet, or the pack started over. */
  isEmpty(): boolean {
    return this.packed !== this.pack.generation
  }

  hasWaiting(): boolean {
    return this.waitingCount > 0
  }

  /** Begins with all files of a workspace; `isThere` says whether the file of a copy is still one of them. */
  offerAll(eachFile: (offer: OfferFile) => void, isThere: (path: string) => boolean): void {
    this.packed = this.pack.generation
    this.changed = []
    this.waiting = new NewestFiles()
    this.skipped = []
    for (const path of this.pack.paths()) if (!isThere(path)) this.pack.forget(path)
    const mayHold = this.pack.paths().length > 0
    eachFile((folder, name, size, mtimeMs, entry) => {
      if (size > this.limits.judgedFileBytes) return
      if (mayHold && entry && this.pack.holds(`${folder}/${name}`, entry)) return
      this.waiting.add(folder, name, mtimeMs)
    })
  }

  /** Adds a file that changed; it is the next to be copied. */
  offer(path: string, entry: Entry): void {
    if (entry.kind !== "file" || entry.within !== undefined || entry.size > this.limits.judgedFileBytes) return
    if (!this.pack.holds(path, entry)) this.changed.push(path)
  }

  forget(path: string): void {
    this.pack.forget(path)
    if (this.skipped.length > 0 && this.pack.liveBytes < this.limits.totalBytes / 2) {
      for (const { path: skipped, mtimeMs } of this.skipped.splice(0))
        this.waiting.add(dirname(skipped), basename(skipped), mtimeMs)
    }
  }

  /** Copies what a command was judged to write, out of these entries. */
  async keepNamed(entries: Iterable<readonly [string, Entry]>, source: KeepSource): Promise<void> {
    const turns = createTurns()
    const { writes = [] } = source.grant
    for (const [path, entry] of entries) {
      if (entry.kind !== "file" || !writes.some((named) => isInside(path, named))) continue
      if (turns.isOver(this.limits.keepMs)) return
      await this.keep(path, entry, source, turns)
    }
  }

  /** Copies from the newest on, at most down to so many that wait, until time is up. */
  async keepWaiting(source: KeepSource, { maxMs, downTo = 0 }: { maxMs: number; downTo?: number }): Promise<void> {
    const turns = createTurns()
    while (this.waitingCount > downTo && !turns.isOver(maxMs)) {
      const path = this.changed.pop() ?? this.waiting.take()!
      const entry = source.snapshot.get(path)
      if (entry?.kind === "file" && entry.within === undefined) await this.keep(path, entry, source, turns)
    }
  }

  /** How many files wait to be copied. */
  get waitingCount(): number {
    return this.changed.length + this.waiting.size
  }

  private async keep(
    path: string,
    entry: Entry,
    { grant, onDifferent }: KeepSource,
    turns: ReturnType<typeof createTurns>,
  ): Promise<void> {
    const { pack, limits } = this
    if (pack.holds(path, entry)) return
    if (pack.liveBytes + entry.size > limits.totalBytes) {
      this.skipped.push({ path, mtimeMs: entry.mtimeMs })
      return
    }
    if (whyNotKept(path, entry, { grant, limits }) !== undefined) return
    // A hard link that came and went changes the time of the last change, and no event reports that.
    if (!(await pack.keep(path, entry, turns))) onDifferent?.(dirname(path))
    await turns.breathe()
  }
}

/** The reason why a file is never kept; undefined when it can be. */
export function whyNotKept(path: string, entry: Entry, { grant, limits }: KeepRequest): string | undefined {
  const reason = whyNoContent(entry)
  if (reason !== undefined) return reason
  if (!grant.mayKeep(path) || grant.denies("fs.read", path)) return "a rule names it as secret"
  if (entry.size <= limits.fileBytes) return undefined
  if (entry.size <= limits.judgedFileBytes && isJudged(path, grant)) return undefined
  return `it is larger than ${Math.floor(limits.fileBytes / 1024)} KB`
}

/** The reason why nothing of an entry is ever kept; undefined for files, links and folders. */
export function whyNoContent({ kind, within, bytes }: Entry): string | undefined {
  if (within === "git") return "git's own records are not kept; use git to go back"
  if (within === "packages") return "installed packages are not kept; install them again"
  if (bytes) return "its name is not UTF-8"
  return kind === "other" ? "only files, links and folders are kept" : undefined
}

function isJudged(path: string, grant: KeepGrant): boolean {
  return grant.admits("fs.write", path) || grant.admits("fs.delete", path)
}

interface Wanted {
  readonly path: string
  readonly mtimeMs: number
}

/** Called with a file, and with its entry where there is one at hand. */
export type OfferFile = (folder: string, name: string, size: number, mtimeMs: number, entry?: Entry) => void

/** Files in a binary heap, the newest first: of a large workspace only the newest ones are ever taken. */
class NewestFiles {
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

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** A regular file that was opened at exactly its own path. */
export interface PlainFile {
  readonly descriptor: number
  readonly facts: Stats
}

/**
 * Opens a regular file, with no link in any part of its path: a folder that was exchanged for a link meanwhile must not
 * bring a file from elsewhere into the history. Undefined when it is not that file any more.
 */
export function openPlainly(path: string): PlainFile | undefined {
  const descriptor = bestEffort("it is gone, or not to be read by this user", () => openSync(path, flags))
  if (descriptor === undefined) return undefined
  const facts = fstatSync(descriptor)
  const inPlace = process.platform !== "linux" || readlinkSync(`/proc/self/fd/${descriptor}`) === path
  if (facts.isFile() && inPlace) return { descriptor, facts }
  closeSync(descriptor)
  return undefined
}

/** The content of a file as it is on the disk, if it has this hash. */
export function readUnchanged(path: string, hash: string): Buffer | undefined {
  const file = openPlainly(path)
  if (!file) return undefined
  try {
    if (file.facts.size > maxObjectBytes) return undefined
    const bytes = readFileSync(file.descriptor)
    return contentHash(bytes) === hash ? bytes : undefined
  } finally {
    closeSync(file.descriptor)
  }
}
