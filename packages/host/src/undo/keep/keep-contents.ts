import { closeSync, readFileSync } from "node:fs"
import { basename, dirname } from "node:path"
import { isInside, type SandboxedGrant } from "@haft/contract"
import { contentHash } from "../../files/system/content-hash.js"
import { createTurns, type Turns } from "../../workspace-index/create-turns.js"
import type { SecondThread } from "../../workspace-index/index.js"
import type { ObserveLimits } from "../record/observe-limits.js"
import type { Entry, Snapshot } from "../record/scan-workspace.js"
import type { ContentPack } from "./content-pack.js"
import { type CopyAnswer, openPlainly } from "./copy-files.js"
import { maxObjectBytes } from "./history-object.js"
import { NewestFiles, type OfferFile } from "./newest-files.js"

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
      if (this.isWanted(path, entry, source.grant)) await this.copy(path, entry, source, turns)
    }
  }

  /**
   * Copies from the newest on, at most down to so many that wait, until time is up. Another thread copies small files
   * meanwhile, and then there is half of that time (benchmark: workspace-size, first write).
   */
  async keepWaiting(
    source: KeepSource,
    { maxMs, downTo = 0, thread }: { maxMs: number; downTo?: number; thread?: SecondThread | undefined },
  ): Promise<void> {
    const turns = createTurns()
    let elsewhereMs = 0
    let ahead: Ahead | undefined
    const isOver = () => this.waitingCount <= downTo || turns.isOver(maxMs, elsewhereMs)
    while (!isOver()) {
      // The other thread has its next files before it has answered for the last ones.
      const next = thread && askFor(thread, this.take(filesAhead, downTo, source))
      for (let count = thread ? filesBeside : 1; count > 0 && !isOver(); count -= 1)
        for (const [path, entry] of this.take(1, downTo, source)) await this.copy(path, entry, source, turns)
      elsewhereMs += await this.takeOver(ahead, source, turns)
      ahead = next
    }
    await this.takeOver(ahead, source, turns)
  }

  /** Those of the next files that are to be copied. */
  private take(count: number, downTo: number, { snapshot, grant }: KeepSource): readonly Named[] {
    const files: Named[] = []
    for (let size = 0, left = count; left > 0 && size < maxAheadBytes && this.waitingCount > downTo; left -= 1) {
      const path = this.changed.pop() ?? this.waiting.take()!
      const entry = snapshot.get(path)
      if (entry?.kind !== "file" || entry.within !== undefined || !this.isWanted(path, entry, grant)) continue
      files.push([path, entry])
      size += entry.size
    }
    return files
  }

  /** Takes what another thread copied. What it did not is copied here, if it is as it was seen. */
  private async takeOver(ahead: Ahead | undefined, source: KeepSource, turns: Turns): Promise<number> {
    const startMs = performance.now()
    const answer = await ahead?.answer
    // Waiting is no work.
    const waitedMs = performance.now() - startMs
    for (const [position, [path, entry]] of ahead?.files.entries() ?? []) {
      const offset = answer?.offsets[position] ?? -1
      if (offset < 0) await this.copy(path, entry, source, turns)
      else if (this.hasRoom(path, entry)) this.pack.add(path, entry, ahead!.bytes.subarray(offset, offset + entry.size))
    }
    return (answer?.ms ?? 0) - waitedMs
  }

  /** How many files wait to be copied. */
  get waitingCount(): number {
    return this.changed.length + this.waiting.size
  }

  private isWanted(path: string, entry: Entry, grant: KeepGrant): boolean {
    if (this.pack.holds(path, entry) || !this.hasRoom(path, entry)) return false
    return whyNotKept(path, entry, { grant, limits: this.limits }) === undefined
  }

  private hasRoom(path: string, { size, mtimeMs }: Entry): boolean {
    const hasRoom = this.pack.liveBytes + size <= this.limits.totalBytes
    if (!hasRoom) this.skipped.push({ path, mtimeMs })
    return hasRoom
  }

  private async copy(path: string, entry: Entry, { onDifferent }: KeepSource, turns: Turns): Promise<void> {
    // A hard link that came and went changes the time of the last change, and no event reports that.
    if (!(await this.pack.keep(path, entry, turns))) onDifferent?.(dirname(path))
    await turns.breathe()
  }
}

type Named = readonly [path: string, entry: Entry]

/** Files that another thread was asked to copy. */
interface Ahead {
  readonly files: readonly Named[]
  readonly bytes: Uint8Array
  readonly answer: Promise<CopyAnswer | undefined>
}

/** So many files are copied by another thread while so many are copied here: this one has to find them, too. */
const [filesAhead, filesBeside] = [192, 160]
const maxAheadBytes = 1024 * 1024

function askFor(thread: SecondThread, files: readonly Named[]): Ahead {
  const size = files.reduce((sum, [, entry]) => sum + entry.size, 0)
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.min(size, maxAheadBytes)))
  const seen = new Float64Array(files.flatMap(([, { ino, size, mtimeMs, ctimeMs }]) => [ino, size, mtimeMs, ctimeMs]))
  return { files, bytes, answer: thread.ask({ paths: files.map(([path]) => path), seen, bytes }) }
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
