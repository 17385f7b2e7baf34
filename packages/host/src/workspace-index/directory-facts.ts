import type { Stats } from "node:fs"
import { type Entry, sameContent } from "../undo/record/scan-workspace.js"
import {
  ctimeAt,
  directoryBits,
  fileBits,
  inoAt,
  linkBits,
  lookAtEntries,
  modeAt,
  mtimeAt,
  otherAt,
  type SeenEntries,
  sizeAt,
  typeBits,
  width,
} from "./look-at-entries.js"
import type { EntryList, IndexedDirectory, Zone } from "./read-directory.js"

/** What undo needs to know about the files of a directory. */
export interface DirectoryFacts {
  readonly self: Entry
  readonly entries: PackedEntries
  /** Names of files that have further names: these can be written through another directory. */
  readonly linked: readonly string[]
  /** Not everything in it could be looked at. */
  readonly isClosed: boolean
}

/** What is remembered of a directory itself. */
export type DirectoryStats = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode">

/**
 * Entries of a directory as numbers in a row: an object for each file of a large workspace costs as much as looking at it
 * (benchmark: workspace-size, first write).
 */
export class PackedEntries implements Iterable<readonly [string, Entry]> {
  constructor(
    private readonly list: EntryList,
    private readonly within: Entry["within"],
    private readonly numbers: Float64Array,
    private readonly offset: number,
    private readonly texts: ReadonlyMap<string, string> | undefined,
  ) {}

  get size(): number {
    let count = 0
    for (let position = 0; position < this.list.length; position += 1)
      if (this.number(position, modeAt) !== 0) count += 1
    return count
  }

  get(name: string): Entry | undefined {
    const position = this.list.positionOf(name)
    return position < 0 ? undefined : this.at(position, name)
  }

  /** What is known of a directory in this one. */
  directory(name: string): DirectoryStats | undefined {
    const position = this.list.positionOf(name)
    if (position < 0 || (this.number(position, modeAt) & typeBits) !== directoryBits) return undefined
    const { ino, size, mtimeMs, ctimeMs } = this.at(position, name)!
    return { dev: this.number(position, otherAt), ino, size, mtimeMs, ctimeMs, mode: this.number(position, modeAt) }
  }

  /** Reports each plain file without making an object of it. */
  eachFile(visit: (name: string, size: number, mtimeMs: number) => void): void {
    const { files } = this.list
    for (let position = 0; position < files.length; position += 1) {
      if ((this.number(position, modeAt) & typeBits) !== fileBits) continue
      visit(files[position]!, this.number(position, sizeAt), this.number(position, mtimeAt))
    }
  }

  *keys(): Iterable<string> {
    for (const [name] of this) yield name
  }

  *[Symbol.iterator](): Iterator<readonly [string, Entry]> {
    for (const [position, name] of this.list.names().entries()) {
      const entry = this.at(position, name)
      if (entry) yield [name, entry]
    }
  }

  private at(position: number, name: string): Entry | undefined {
    const mode = this.number(position, modeAt)
    if (mode === 0) return undefined
    const start = this.offset + position * width
    const { numbers, within } = this
    const kind = kindOf(mode)
    const entry = {
      kind,
      within,
      ino: numbers[start + inoAt]!,
      size: numbers[start + sizeAt]!,
      mtimeMs: numbers[start + mtimeAt]!,
      ctimeMs: numbers[start + ctimeAt]!,
      mode: mode & 0o7777,
    }
    const text = kind === "link" ? this.texts?.get(name) : undefined
    return text === undefined ? entry : { ...entry, text }
  }

  private number(position: number, which: number): number {
    return this.numbers[this.offset + position * width + which]!
  }
}

/** Looks at every file of a directory without opening any. */
export function readFactsOf(directory: IndexedDirectory, place: string, stats: DirectoryStats): DirectoryFacts {
  const row = { numbers: new Float64Array(directory.entries.length * width), offset: 0 }
  return factsOf(directory, stats, { ...row, ...lookAtEntries(place, directory.entries.names(), row) })
}

/** A look at the entries of a directory, and where their numbers are. */
export interface SeenDirectory extends SeenEntries {
  readonly numbers: Float64Array
  readonly offset: number
}

export function factsOf(directory: IndexedDirectory, stats: DirectoryStats, seen: SeenDirectory): DirectoryFacts {
  const { path, entries, observed, isClosed } = directory
  const within = observed === "git" || observed === "packages" ? observed : undefined
  const packed = new PackedEntries(entries, within, seen.numbers, seen.offset, seen.texts)
  const self = selfOf(stats, ownWithin(path, observed))
  return { self, entries: packed, linked: seen.linked, isClosed: isClosed || seen.isUnseen }
}

function kindOf(mode: number): Entry["kind"] {
  const type = mode & typeBits
  return type === fileBits ? "file" : type === directoryBits ? "directory" : type === linkBits ? "link" : "other"
}

function selfOf({ ino, size, mtimeMs, ctimeMs, mode }: DirectoryStats, within: Entry["within"]): Entry {
  return { kind: kindOf(mode), within, ino, size, mtimeMs, ctimeMs, mode: mode & 0o7777 }
}

/** The folder of git itself, and that of the packages, are entries of a plain one. */
function ownWithin(path: string, observed: Zone["observed"]): Entry["within"] {
  return observed === "git" && !path.endsWith("/.git") ? "git" : undefined
}

export function isSameEntry(entry: Entry | undefined, stats: Stats | undefined): boolean {
  return entry !== undefined && stats !== undefined && sameContent(entry, stats) && entry.mode === (stats.mode & 0o7777)
}

export function isSameFacts(one: DirectoryFacts, other: DirectoryFacts): boolean {
  if (one.entries.size !== other.entries.size || one.isClosed !== other.isClosed || one.self.mode !== other.self.mode)
    return false
  for (const [name, entry] of one.entries) {
    const now = other.entries.get(name)
    if (!now || entry.kind !== now.kind || entry.mode !== now.mode || !sameContent(entry, now)) return false
  }
  return true
}

const maxNames = 20_000

/**
 * Tells from the order of events whether a file was written under a name that it then lost without being moved to another
 * one. Mostly that was a temporary file. It can also have been a hard link to a file that is still there, in whose own
 * directory no event was reported: only looking at every file finds that one.
 */
export class WrittenNames {
  private readonly written = new Set<string>()
  /** A written name that came to an end with the last event. */
  private ended: string | undefined
  /** A name that came with the last event. */
  private arrived: string | undefined
  private isLost = false

  note(path: string, isRename: boolean): void {
    if (!isRename) {
      this.settle()
      this.arrived = undefined
      if (this.written.size < maxNames) this.written.add(path)
      else this.isLost = true
      return
    }
    if (this.ended !== undefined && this.ended !== path) {
      // The two events of a move follow each other.
      this.ended = undefined
      this.arrived = undefined
      this.written.add(path)
    } else if (this.written.delete(path)) {
      // Git gives a new file its name by a link, and then removes the old name.
      if (this.arrived !== undefined && this.arrived !== path) this.written.add(this.arrived)
      else this.ended = path
      this.arrived = undefined
    } else this.arrived = path
  }

  /** Whether that was so since the last time that it was asked. */
  take(): boolean {
    this.settle()
    const { isLost } = this
    this.isLost = false
    this.arrived = undefined
    this.written.clear()
    return isLost
  }

  private settle(): void {
    if (this.ended !== undefined) this.isLost = true
    this.ended = undefined
  }
}
