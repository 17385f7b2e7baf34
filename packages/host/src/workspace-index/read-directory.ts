import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import { errnoOf } from "../files/system/errno.js"
import { statsOf } from "../files/system/look.js"
import { type Entry, sameContent } from "../undo/record/scan-workspace.js"

/** What an entry is, as far as names are concerned. */
export type EntryKind = "file" | "directory" | "link" | "special"

/** A name in a directory. */
export interface IndexedEntry {
  readonly name: string
  readonly kind: EntryKind
}

/** Where a directory is, as far as that decides how it is looked at. */
export interface Zone {
  /**
   * The folder that tools fill by themselves (installed packages, objects of git, virtual environments, build output)
   * which this directory is or is in.
   */
  readonly unread: string | undefined
  /** Whether files in it are looked at for undo: not at all, or as part of git's records or of installed packages. */
  readonly observed: "plain" | "git" | "packages" | "none"
}

/** One directory as it was when it was last read. A directory that changed gets a new record. */
export interface IndexedDirectory extends Zone {
  readonly path: string
  readonly entries: readonly IndexedEntry[]
  /** It has an entry `.git`. */
  readonly holdsRepository: boolean
  /** It could not be listed: its owner may open it at any time, and then what is in it was not looked at. */
  readonly isClosed: boolean
  /** Some name in it is no text. */
  readonly isOdd: boolean
  /** How it was just before it was read; undefined where only its names were asked for. */
  readonly stats: Stats | undefined
  /** Read so soon after a change that a second one could have the same time. */
  readonly isDoubtful: boolean
  readonly facts?: DirectoryFacts
}

/** What undo needs to know about the files of a directory. */
export interface DirectoryFacts {
  readonly self: Entry
  readonly entries: ReadonlyMap<string, Entry>
  /** Names of files that have further names: these can be written through another directory. */
  readonly linked: readonly string[]
  /** Not everything in it could be looked at. */
  readonly isClosed: boolean
}

/** File times come from a clock that ticks, on some machines a hundred times a second. */
const clockGrainMs = 20
/** The character that replaces bytes which are no text. */
const notText = "\ufffd"

/** How a directory is read. */
export interface ReadRequest {
  readonly path: string
  /** Where it is looked at. */
  readonly place: string
  readonly zone: Zone
  readonly isRoot: boolean
  /** How it was just before; undefined where only its names are asked for. */
  readonly stats: Stats | undefined
  readonly before: IndexedDirectory | undefined
}

/** Reads the names in a directory. The list of names is the one from before where they are the same. */
export function readDirectory({ path, place, zone, isRoot, stats, before }: ReadRequest): IndexedDirectory {
  let entries: readonly IndexedEntry[] = []
  let isClosed = false
  try {
    // Without the right to pass, names can be listed and nothing of what they mean be seen. The dot needs that right.
    entries = readdirSync(`${place}/.`, { withFileTypes: true }).map(toEntry)
  } catch (error) {
    const code = errnoOf(error)
    isClosed = code !== "ENOENT" && code !== "ENOTDIR"
  }
  if (before && isSameList(before.entries, entries)) entries = before.entries
  const isMark = !isRoot && zone.unread === undefined && !dirname(path).endsWith("/.git")
  return {
    path,
    entries,
    holdsRepository: entries.some(({ name }) => name === ".git"),
    isClosed,
    isOdd: entries.some(({ name }) => name.includes(notText)),
    stats,
    isDoubtful: stats === undefined || Date.now() - stats.ctimeMs < clockGrainMs,
    unread: isMark && isMarked(place, entries) ? path : zone.unread,
    observed: zone.observed,
  }
}

function isSameList(one: readonly IndexedEntry[], other: readonly IndexedEntry[]): boolean {
  if (one.length !== other.length) return false
  return one.every(({ name, kind }, index) => name === other[index]!.name && kind === other[index]!.kind)
}

/** The zone of a directory in another one. */
export function zoneBelow(parent: IndexedDirectory, name: string, path: string): Zone {
  const isInGit = parent.path.endsWith("/.git")
  const isUnread =
    name === "node_modules" || name === "__pycache__" || (isInGit && (name === "objects" || name === "lfs"))
  return { unread: parent.unread ?? (isUnread ? path : undefined), observed: observedBelow(parent.observed, name) }
}

function observedBelow(parent: Zone["observed"], name: string): Zone["observed"] {
  if (parent === "none" || parent === "packages") return "none"
  // Git only adds to its objects; what changed is seen in its other files.
  if (parent === "git") return name === "objects" ? "none" : "git"
  if (name === ".git") return "git"
  return name === "node_modules" ? "packages" : "plain"
}

/** Looks at every file of a directory without opening any. */
export function factsIn(
  { path, entries, observed, isClosed }: IndexedDirectory,
  place: string,
  stats: Stats,
): DirectoryFacts {
  const within = observed === "git" || observed === "packages" ? observed : undefined
  const found = new Map<string, Entry>()
  const linked: string[] = []
  let isUnseen = isClosed
  for (const { name } of entries) {
    try {
      const facts = lstatSync(`${place}/${name}`, { throwIfNoEntry: false })
      if (!facts) continue
      found.set(name, entryOf(facts, within, `${place}/${name}`))
      if (facts.nlink > 1 && facts.isFile()) linked.push(name)
    } catch (error) {
      if (errnoOf(error) === "EACCES") isUnseen = true
    }
  }
  return { self: entryOf(stats, ownWithin(path, observed), place), entries: found, linked, isClosed: isUnseen }
}

/** The folder of git itself, and that of the packages, are entries of a plain one. */
function ownWithin(path: string, observed: Zone["observed"]): Entry["within"] {
  return observed === "git" && !path.endsWith("/.git") ? "git" : undefined
}

function entryOf(facts: Stats, within: Entry["within"], place: string): Entry {
  const { ino, size, mtimeMs, ctimeMs, mode } = facts
  const kind = facts.isFile() ? "file" : facts.isDirectory() ? "directory" : facts.isSymbolicLink() ? "link" : "other"
  const entry = { kind, within, ino, size, mtimeMs, ctimeMs, mode: mode & 0o7777 } as const
  return kind === "link" ? { ...entry, text: readlinkSync(place) } : entry
}

function toEntry(entry: Dirent): IndexedEntry {
  const { name } = entry
  if (entry.isFile()) return { name, kind: "file" }
  if (entry.isDirectory()) return { name, kind: "directory" }
  return { name, kind: entry.isSymbolicLink() ? "link" : "special" }
}

/**
 * `pyvenv.cfg` marks a virtual environment, `CACHEDIR.TAG` what can be made again. Only a mark that is as old as its folder
 * counts: tools begin with it, and a command that adds one later would have what is below unmasked for the next command.
 */
function isMarked(place: string, entries: readonly IndexedEntry[]): boolean {
  return entries.some(({ name, kind }) => {
    if (kind !== "file" || (name !== "pyvenv.cfg" && name !== "CACHEDIR.TAG")) return false
    const [folder, mark] = [statsOf(place), statsOf(`${place}/${name}`)]
    return folder !== undefined && mark?.isFile() === true && isAsOldAs(mark, folder)
  })
}

/** By the time of its last change, which nobody can set; a folder that seems born at its own last change tells nothing. */
function isAsOldAs(mark: Stats, folder: Stats): boolean {
  return folder.birthtimeMs < folder.ctimeMs && mark.ctimeMs - folder.birthtimeMs < markedWithinMs
}

const markedWithinMs = 2000

export function isSameDirectory(one: Stats | undefined, other: Stats | undefined): boolean {
  return other !== undefined && one?.ino === other.ino && one.dev === other.dev && other.isDirectory()
}

/** A folder that has become part of another zone is read as a new one. */
export function isMoved(known: IndexedDirectory, zone: Zone): boolean {
  if (known.observed !== zone.observed) return true
  // A folder with a mark is the top of its own zone.
  return known.unread !== zone.unread && known.unread !== known.path
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

/** The path of an entry; a root may be `/`. */
export function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`
}

export function isNamedUnread(path: string): boolean {
  return /\/(node_modules|__pycache__|\.git\/objects|\.git\/lfs)$/.test(path)
}
