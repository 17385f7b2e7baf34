import { constants, lstatSync, type Stats } from "node:fs"
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises"
import type { Skipped } from "@haft/contract"
import { errnoOf } from "../files/system/errno.js"
import { createYield, isRemote } from "../files/system/program.js"
import { pinFlags } from "../files/walk/linux/hold.js"
import { decodePath } from "./grep-output-reader.js"
import type { HeldDirectory, SearchPlace } from "./search-place.js"
import { type Entry, pathOfKey } from "./sorted-prefix.js"
import { throwIfAborted } from "./start-ripgrep.js"

/*
 * ripgrep opens files by their paths, so a process that swaps a file or a folder for a link while ripgrep runs can make it
 * read what is outside (a symlink race, TOCTOU). What was found is therefore confirmed before anybody sees it.
 */

/**
 * The entries whose paths may have led elsewhere while the search ran. A folder whose ctime is older than the search had
 * the same entries all the time; when that holds for each folder from the place of the search down to an entry, the entry
 * was reached through these folders and no link. The only cost without a change is one lstat for each folder.
 */
export async function changedEntries<Kind extends AnyEntry>(
  place: SearchPlace,
  entries: readonly Kind[],
): Promise<readonly Kind[]> {
  // Nothing is held by descriptors there, so there is nothing to confirm with.
  if (process.platform === "win32" || entries.length === 0) return []
  if (!isUnchanged(place, "")) return entries
  const folders = foldersOf(entries)
  const yieldToLoop = createYield()
  // The lowest folders first, so that this look is not raceable either: what the ctime of an upper folder tells also holds
  // for the earlier moment in which the lower one was looked at through it.
  for (const folder of [...folders.keys()].sort((left, right) => right.length - left.length)) {
    folders.set(folder, isUnchanged(place, pathOfKey(folder)))
    await yieldToLoop()
    throwIfAborted(place.call.signal)
  }
  const isSteady = (folder: string): boolean =>
    folders.get(folder) === true && (folder === "" || isSteady(folderOf(folder)))
  const steady = new Map([...folders.keys()].map((folder) => [folder, isSteady(folder)]))
  const isAtRest = [...steady.values()].every((each) => each)
  return isAtRest ? [] : entries.filter(({ key }) => !steady.get(folderOf(key)))
}

type AnyEntry = Pick<Entry<unknown>, "key">

/**
 * Looks at the folders of a sorted list of files while ripgrep goes on, each when the list has left it for good (row "glob of
 * 1000 out of 30,000 hits": afterwards the caller would wait for it). A sorting ripgrep has read a folder to its end before it
 * names anything in it, and a folder is left after all that are below it, so lower folders are looked at first here too.
 */
export class LeftFolders {
  readonly looked = new Map<string, boolean>()
  private readonly place: SearchPlace
  /** The folders from the place of the search down to that of the last entry. */
  private readonly trail = [""]

  constructor(place: SearchPlace) {
    this.place = place
  }

  /** Takes the key of the next entry in order. */
  goOn(key: string): void {
    const folder = folderOf(key)
    let last = this.trail.at(-1)!
    while (!isInFolder(folder, last)) {
      this.leave(last)
      last = this.trail.at(-1)!
    }
    while (last.length < folder.length) {
      const end = folder.indexOf("\0", last.length + 1)
      last = end < 0 ? folder : folder.slice(0, end)
      this.trail.push(last)
    }
  }

  /** Leaves the last folders too; true when none has changed, so that nothing in the list may have led elsewhere. */
  end(): boolean {
    while (this.trail.length > 0) this.leave(this.trail.at(-1)!)
    for (const unchanged of this.looked.values()) if (!unchanged) return false
    return true
  }

  private leave(folder: string): void {
    this.looked.set(folder, isUnchanged(this.place, pathOfKey(folder)))
    this.trail.pop()
  }
}

function isInFolder(folder: string, above: string): boolean {
  return above === "" || folder === above || folder.startsWith(`${above}\0`)
}

/** The folders of all entries, up to the place of the search itself, which is the empty key. */
function foldersOf(entries: readonly AnyEntry[]): Map<string, boolean> {
  const folders = new Map([["", false]])
  let last = ""
  for (const { key } of entries) {
    let folder = folderOf(key)
    // Entries come in order, so most are in the folder of the one before.
    if (folder === last) continue
    last = folder
    for (; !folders.has(folder); folder = folderOf(folder)) folders.set(folder, false)
  }
  return folders
}

function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("\0")))
}

function isUnchanged({ held, startMs }: SearchPlace, folder: string): boolean {
  const path = systemPath(held.cwd, folder === "" ? "." : folder)
  try {
    const facts = lstatSync(path)
    // The clock of another machine tells nothing about when the search began.
    if (!facts.isDirectory() || isRemote(decodePath(path.toString("latin1")), facts)) return false
    return facts.ctimeMs < startMs - (facts.ctimeMs % 1000 === 0 ? wholeSecondsMs : clockTickMs)
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return false
  }
}

// Kernels stamp files with the time of the last clock tick, which may be late on a busy machine.
const clockTickMs = 100
// Some file systems keep only seconds, FAT every other one.
const wholeSecondsMs = 2100

/** How many paths were left out and why; of those that may be elsewhere only the ones that are in place count. */
export async function confirmLeftOut(
  place: SearchPlace,
  leftOut: readonly Pick<Entry<unknown>, "key" | "kind">[],
): Promise<Required<Omit<Skipped, "unsaved">>> {
  const doubtful = await changedEntries(place, leftOut)
  const inPlace = await entriesInPlace(place, doubtful)
  const gone = new Set(doubtful.filter((entry) => !inPlace.has(entry)))
  const count = (wanted: string) => leftOut.filter((entry) => entry.kind === wanted && !gone.has(entry)).length
  return { denied: count("denied"), unreadable: count("unreadable"), changed: gone.size }
}

/**
 * Those of the entries that are really there: in a folder that is no link, and no links themselves. When the time is up the
 * rest counts as not there.
 */
export async function entriesInPlace<Kind extends AnyEntry>(
  { held, call, stopAtMs }: SearchPlace,
  entries: readonly Kind[],
): Promise<ReadonlySet<Kind>> {
  const inPlace = new Set<Kind>()
  const isOver = () => call.signal.aborted || Date.now() >= stopAtMs
  for (const [folder, inside] of byFolder(entries)) {
    if (isOver()) break
    const pinned = await pinInPlace(held, pathOfKey(folder))
    if (pinned === undefined) continue
    const yieldToLoop = createYield()
    const look = isRemote(pinned.self, pinned.facts) ? lstat : lstatSync
    try {
      for (const entry of inside) {
        const name = entry.key.slice(entry.key.lastIndexOf("\0") + 1)
        if (await isEntry(() => look(systemPath(pinned.self, name)))) inPlace.add(entry)
        await yieldToLoop()
        if (isOver()) break
      }
    } finally {
      await pinned.close()
    }
  }
  throwIfAborted(call.signal)
  return inPlace
}

function byFolder<Kind extends AnyEntry>(entries: readonly Kind[]): ReadonlyMap<string, readonly Kind[]> {
  const folders = new Map<string, Kind[]>()
  for (const entry of entries) {
    const folder = folderOf(entry.key)
    const inside = folders.get(folder)
    if (inside === undefined) folders.set(folder, [entry])
    else inside.push(entry)
  }
  return folders
}

async function isEntry(look: () => Stats | Promise<Stats>): Promise<boolean> {
  try {
    const facts = await look()
    return facts.isFile() || facts.isDirectory()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return false
  }
}

/** A file or folder below the place of a search, held by a descriptor. */
export interface PinnedEntry {
  readonly descriptor: number
  /** A path for system calls about the entry itself. */
  readonly self: string
  readonly facts: Stats
  close(): Promise<void>
}

/**
 * Holds what is at a path, given as bytes in a latin1 string; undefined when nothing is there or a link takes part. The
 * kernel says where a descriptor leads, so a swap before, between or after the calls changes nothing.
 */
export async function pinInPlace(held: HeldDirectory, path: string): Promise<PinnedEntry | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(systemPath(held.cwd, path === "" ? "." : path), isLinux ? pinFlags : portableFlags)
    const { fd } = handle
    const facts = await handle.stat()
    const place = systemPath(held.path === "/" && path !== "" ? "" : held.path, path)
    const self = isLinux ? `/proc/self/fd/${fd}` : decodePath(place.toString("latin1"))
    const isInPlace = isLinux
      ? (await readlink(self, "buffer")).equals(bytesOf(place))
      : (await realpath(place, "buffer")).equals(bytesOf(place)) && isSame(facts, await lstat(place))
    const pinned = handle
    if (isInPlace && !facts.isSymbolicLink()) {
      handle = undefined
      return { descriptor: fd, self, facts, close: () => pinned.close() }
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
  } finally {
    await handle?.close()
  }
  return undefined
}

const isLinux = process.platform === "linux"
const portableFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** A path for system calls: as text where that is enough, as bytes for names that are not plain. */
function systemPath(base: string, path: string): string | Buffer {
  const whole = `${Buffer.from(base).toString("latin1")}${path === "" ? "" : "/"}${path}`
  return /[\x80-\xff]/.test(whole) ? Buffer.from(whole, "latin1") : whole
}

function bytesOf(path: string | Buffer): Buffer {
  return typeof path === "string" ? Buffer.from(path, "latin1") : path
}
