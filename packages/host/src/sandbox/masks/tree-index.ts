import { accessSync, constants, type Dirent, lstatSync, readdirSync, type Stats } from "node:fs"
import { dirname, join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"

/** What an entry is, as far as masks care. */
export type EntryKind = "file" | "directory" | "link" | "special"

/** One directory as it was when it was last read. */
export interface IndexedDirectory {
  readonly path: string
  readonly entries: readonly { readonly name: string; readonly kind: EntryKind }[]
  /** Where the directory holds a repository: its entry `.git`. */
  readonly holdsRepository: boolean
  /** It could not be listed: its owner may open it at any time, and then what is in it was not looked at. */
  readonly isClosed: boolean
  readonly changedMs: number
  /** Read so soon after a change that a second one could have the same time. */
  readonly doubtful: boolean
}

/** The names below a root, read once and then only where a directory changed. */
export interface TreeIndex {
  readonly root: string
  /** Brings the index up to date. */
  refresh(limits: ScanLimits): Promise<void>
  directories(): Iterable<IndexedDirectory>
  /** Why not everything was read, if so. */
  stopped(): string | undefined
  /** Folders that are never read: installed packages, objects of git, virtual environments, build output. */
  unread(): readonly string[]
}

/** When a scan gives up. */
export interface ScanLimits {
  readonly maxMs: number
  readonly maxEntries: number
}

/** Where an index looks. */
export interface TreeIndexOptions {
  /** Folders of which nothing is read. */
  readonly skip?: readonly string[]
  /** Where to look for what has this path, when it is to be looked for in a directory that is held. */
  readonly at?: (path: string) => string
}

/** Makes the index of a root; nothing is read before the first refresh, and never what lies in a folder to skip. */
export function createTreeIndex(root: string, { skip = [], at = (path) => path }: TreeIndexOptions = {}): TreeIndex {
  const known = new Map<string, IndexedDirectory>()
  // Of the last scan that is over: whoever asks while one runs must not get half of it.
  let ended: { readonly unread: readonly string[]; readonly stopped: string | undefined } = {
    unread: [],
    stopped: undefined,
  }
  let unread = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  /** One scan at a time: each forgets the directories that it did not see itself. */
  function refresh(limits: ScanLimits): Promise<void> {
    const turn = last.then(() => scan(limits))
    last = turn.catch(() => undefined)
    return turn
  }

  async function scan({ maxMs, maxEntries }: ScanLimits): Promise<void> {
    const startMs = performance.now()
    const pending = [root]
    const seen = new Set<string>()
    let entryCount = 0
    let sliceMs = startMs
    let stopped: string | undefined
    unread = new Set()
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const directory = current(path)
      if (!directory) continue
      seen.add(path)
      entryCount += directory.entries.length
      for (const { name, kind } of directory.entries) {
        if (kind !== "directory") continue
        const child = join(path, name)
        if (isUnread(directory, name)) unread.add(child)
        else if (!skip.includes(child)) pending.push(child)
      }
      const nowMs = performance.now()
      if (entryCount > maxEntries) stopped = `it has more than ${maxEntries} entries`
      else if (nowMs - startMs > maxMs) stopped = `looking through it took longer than ${maxMs} ms`
      if (stopped) break
      if (nowMs - sliceMs > sliceLengthMs) {
        await nextTurn()
        sliceMs = performance.now()
      }
    }
    if (!stopped) for (const path of known.keys()) if (!seen.has(path)) known.delete(path)
    ended = { unread: [...unread], stopped }
  }

  /** The directory from memory when its time of change is the same, else read again; undefined when it is not to be read. */
  function current(path: string): IndexedDirectory | undefined {
    const facts = factsOf(at(path))
    if (!facts?.isDirectory()) return undefined
    const before = known.get(path)
    if (before && !before.doubtful && before.changedMs === facts.ctimeMs) return before
    // A folder that did not change had no mark before, and a mark of later counts as none.
    if (path !== root && !dirname(path).endsWith("/.git") && isMarked(at(path))) {
      unread.add(path)
      known.delete(path)
      return undefined
    }
    const doubtful = Date.now() - facts.ctimeMs < clockGrainMs
    const directory = { path, ...readDirectory(at(path)), changedMs: facts.ctimeMs, doubtful }
    known.set(path, directory)
    return directory
  }

  return { root, refresh, directories: () => known.values(), stopped: () => ended.stopped, unread: () => ended.unread }
}

/** How long the event loop may be kept. */
const sliceLengthMs = 4
/** File times come from a clock that ticks, on some machines a hundred times a second. */
const clockGrainMs = 20

function readDirectory(path: string): Omit<IndexedDirectory, "path" | "changedMs" | "doubtful"> {
  let found: Dirent[] = []
  let isClosed = false
  try {
    // Without the right to pass, names can be listed and nothing of what they stand for be seen.
    accessSync(path, constants.X_OK)
    found = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    isClosed = (error as NodeJS.ErrnoException).code !== "ENOENT"
  }
  const entries = found.map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
  return { entries, holdsRepository: entries.some(({ name }) => name === ".git"), isClosed }
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return "file"
  if (entry.isDirectory()) return "directory"
  if (entry.isSymbolicLink()) return "link"
  return "special"
}

/** Large folders that tools fill by themselves. */
function isUnread(parent: IndexedDirectory, name: string): boolean {
  if (name === "node_modules" || name === "__pycache__") return true
  return parent.path.endsWith("/.git") && (name === "objects" || name === "lfs")
}

/**
 * `pyvenv.cfg` marks a virtual environment, `CACHEDIR.TAG` what can be made again. Only a mark that is as old as its folder
 * counts: tools begin with it, and a command that adds one later would have what is below unmasked for the next command.
 */
function isMarked(path: string): boolean {
  return ["pyvenv.cfg", "CACHEDIR.TAG"].some((name) => {
    const mark = factsOf(join(path, name))
    const folder = factsOf(path)
    return mark?.isFile() === true && folder !== undefined && isAsOldAs(mark, folder)
  })
}

/** In a folder that is closed nothing can be seen. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** By the time of its last change, which nobody can set; a folder that seems born at its own last change tells nothing. */
function isAsOldAs(mark: Stats, folder: Stats): boolean {
  return folder.birthtimeMs < folder.ctimeMs && mark.ctimeMs - folder.birthtimeMs < markedWithinMs
}

const markedWithinMs = 2000
