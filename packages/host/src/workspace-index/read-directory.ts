import { type Dirent, readdirSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import { errnoOf } from "../files/system/errno.js"
import { statsOf } from "../files/system/look.js"
import type { DirectoryFacts, DirectoryStats } from "./directory-facts.js"

/** What an entry is, as far as names are concerned. */
export type EntryKind = "file" | "directory" | "link" | "special"

/** A name in a directory. */
export interface IndexedEntry {
  readonly name: string
  readonly kind: EntryKind
}

const noNames: readonly never[] = []
/** Above this a name is looked up, below it is searched for. */
const fewNames = 16

/**
 * The names in a directory. Those of its files, which most entries of a workspace are, are in one text: a string for each
 * costs more than reading it (benchmark: workspace-size, first read).
 */
export class EntryList implements Iterable<IndexedEntry> {
  /** The names of files with slashes between them. */
  private readonly fileText: string
  private readonly fileCount: number
  readonly folders: readonly string[]
  /** Links and what is neither file nor directory. */
  readonly others: readonly IndexedEntry[]
  private positions: ReadonlyMap<string, number> | undefined

  constructor(found: readonly Dirent[]) {
    const files: string[] = []
    let folders: string[] | undefined
    let others: IndexedEntry[] | undefined
    for (const entry of found) {
      if (entry.isFile()) files.push(entry.name)
      else if (entry.isDirectory()) {
        folders ??= []
        folders.push(entry.name)
      } else {
        others ??= []
        others.push({ name: entry.name, kind: entry.isSymbolicLink() ? "link" : "special" })
      }
    }
    this.fileText = files.join("/")
    this.fileCount = files.length
    this.folders = folders ?? noNames
    this.others = others ?? noNames
  }

  get files(): readonly string[] {
    return this.fileCount === 0 ? noNames : this.fileText.split("/")
  }

  get length(): number {
    return this.fileCount + this.folders.length + this.others.length
  }

  /** All names with slashes between them, in the order of `names`: one search through it takes the place of a look at each. */
  get text(): string {
    if (this.folders.length === 0 && this.others.length === 0) return this.fileText
    const others = [...this.folders, ...this.others.map(({ name }) => name)].join("/")
    return this.fileCount === 0 ? others : `${this.fileText}/${others}`
  }

  /** The files come first, then folders. */
  names(): readonly string[] {
    if (this.folders.length === 0 && this.others.length === 0) return this.files
    return [...this.files, ...this.folders, ...this.others.map(({ name }) => name)]
  }

  /** The position among all names; below zero where there is no such name. */
  positionOf(name: string): number {
    if (this.length <= fewNames) return this.names().indexOf(name)
    this.positions ??= new Map(this.names().map((one, position) => [one, position]))
    return this.positions.get(name) ?? -1
  }

  *[Symbol.iterator](): Iterator<IndexedEntry> {
    for (const name of this.files) yield { name, kind: "file" }
    for (const name of this.folders) yield { name, kind: "directory" }
    yield* this.others
  }

  isSame({ fileText, fileCount, folders, others }: EntryList): boolean {
    return (
      this.fileText === fileText &&
      this.fileCount === fileCount &&
      this.folders.length === folders.length &&
      this.folders.every((name, position) => name === folders[position]) &&
      this.others.length === others.length &&
      this.others.every(({ name, kind }, at) => name === others[at]!.name && kind === others[at]!.kind)
    )
  }
}

const noEntries = new EntryList([])

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
  readonly entries: EntryList
  /** It has an entry `.git`. */
  readonly holdsRepository: boolean
  /** It could not be listed: its owner may open it at any time, and then what is in it was not looked at. */
  readonly isClosed: boolean
  /** Some name in it is no text. */
  readonly isOdd: boolean
  /** How it was when it was read; undefined where only its names were asked for. */
  readonly stats: DirectoryStats | undefined
  /** Read so soon after a change that a second one could have the same time. */
  readonly isDoubtful: boolean
  readonly facts?: DirectoryFacts
}

/** Called for every record that was replaced. */
export type OnReplaced = (
  path: string,
  before: IndexedDirectory | undefined,
  after: IndexedDirectory | undefined,
) => void

/** File times come from a clock that ticks, on some machines a hundred times a second. */
export const clockGrainMs = 20
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
  let entries = noEntries
  let isClosed = false
  try {
    // Without the right to pass, names can be listed and nothing of what they mean be seen. The dot needs that right.
    entries = new EntryList(readdirSync(`${place}/.`, { withFileTypes: true }))
  } catch (error) {
    const code = errnoOf(error)
    isClosed = code !== "ENOENT" && code !== "ENOTDIR"
  }
  if (before?.entries.isSame(entries)) entries = before.entries
  const { text } = entries
  const mayBeMarked = !isRoot && zone.unread === undefined && markNames.test(text) && !dirname(path).endsWith("/.git")
  return {
    path,
    entries,
    holdsRepository: repositoryName.test(text),
    isClosed,
    isOdd: text.includes(notText),
    stats,
    isDoubtful: stats === undefined || Date.now() - stats.ctimeMs < clockGrainMs,
    unread: mayBeMarked && isMarked(place, entries) ? path : zone.unread,
    observed: zone.observed,
  }
}

const repositoryName = /(?:^|\/)\.git(?=\/|$)/
const markNames = /(?:^|\/)(?:pyvenv\.cfg|CACHEDIR\.TAG)(?=\/|$)/

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

/**
 * `pyvenv.cfg` marks a virtual environment, `CACHEDIR.TAG` what can be made again. Only a mark that is as old as its folder
 * counts: tools begin with it, and a command that adds one later would have what is below unmasked for the next command.
 */
function isMarked(place: string, { files }: EntryList): boolean {
  return files.some((name) => {
    if (name !== "pyvenv.cfg" && name !== "CACHEDIR.TAG") return false
    const [folder, mark] = [statsOf(place), statsOf(`${place}/${name}`)]
    return folder !== undefined && mark?.isFile() === true && isAsOldAs(mark, folder)
  })
}

/** By the time of its last change, which nobody can set; a folder that seems born at its own last change tells nothing. */
function isAsOldAs(mark: Stats, folder: Stats): boolean {
  return folder.birthtimeMs < folder.ctimeMs && mark.ctimeMs - folder.birthtimeMs < markedWithinMs
}

const markedWithinMs = 2000

export function isSameDirectory(one: DirectoryStats | undefined, other: Stats | undefined): boolean {
  return other !== undefined && one?.ino === other.ino && one.dev === other.dev && other.isDirectory()
}

/** Whether nothing is new but what is known of the files, none of which has a second name. */
export function isOnlyLookedAt(before: IndexedDirectory | undefined, after: IndexedDirectory | undefined): boolean {
  if (!before || before.facts || before.entries !== after?.entries || after.facts?.linked.length) return false
  const isNew = before.stats === undefined || after.facts !== undefined
  return isNew && before.isClosed === after.isClosed && before.unread === after.unread
}

/** A folder that has become part of another zone is read as a new one. */
export function isMoved(known: IndexedDirectory, zone: Zone): boolean {
  if (known.observed !== zone.observed) return true
  // A folder with a mark is the top of its own zone.
  return known.unread !== zone.unread && known.unread !== known.path
}

/** The path of an entry; a root may be `/`. */
export function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`
}

export function isNamedUnread(path: string): boolean {
  return /\/(node_modules|__pycache__|\.git\/objects|\.git\/lfs)$/.test(path)
}
