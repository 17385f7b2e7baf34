import { type Dirent, lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { endingOf, type ServerSpec } from "../find/server-spec.js"
import type { LanguageLimits } from "../limits.js"

/** The files of a workspace that matter to a server, as they were at one moment. */
export interface WorkspaceScan {
  /** What identifies the state of each file, by path. */
  readonly stamps: ReadonlyMap<string, string>
  /** What a rule denies reading, with its identity: the wall covers exactly these. */
  readonly denied: ReadonlyMap<string, number>
  /** Changes when installed packages do. */
  readonly dependencies: string
  /** False when there was too much to look at. */
  readonly complete: boolean
}

/** What is scanned and for whom. */
export interface ScanOptions {
  readonly root: string
  readonly spec: ServerSpec
  readonly denies: (path: string) => boolean
  readonly limits: Pick<LanguageLimits, "scanMs" | "maxScanEntries">
}

// Synchronous calls are ten times as quick here; between slices others get their turn.
const sliceMs = 5
const neverWatched = [".git", ".hg", ".svn"]

/** Looks at every file that matters to a server. Links are not followed. */
export async function scanWorkspace({ root, spec, denies, limits }: ScanOptions): Promise<WorkspaceScan> {
  const stamps = new Map<string, string>()
  const denied = new Map<string, number>()
  const skipped = new Set([...neverWatched, ...spec.unwatched])
  const pending = [root]
  const endMs = performance.now() + limits.scanMs
  let sliceEndMs = performance.now() + sliceMs
  let entries = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(folder)) {
      const isFolder = entry.isDirectory()
      if (!isFolder && !entry.isFile()) continue
      if (isFolder && skipped.has(entry.name)) continue
      entries += 1
      const path = join(folder, entry.name)
      if (denies(path)) denied.set(path, lstatSync(path, { throwIfNoEntry: false })?.ino ?? 0)
      else if (isFolder) pending.push(path)
      else if (matters(entry.name, spec)) note(stamps, path)
      if (performance.now() < sliceEndMs) continue
      await nextTurn()
      sliceEndMs = performance.now() + sliceMs
    }
    if (entries > limits.maxScanEntries || performance.now() > endMs) {
      return { stamps, denied, dependencies: "", complete: false }
    }
  }
  return { stamps, denied, dependencies: dependencyStamp(root, spec.dependencies), complete: true }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function matters(name: string, { languageIds, watched }: ServerSpec): boolean {
  const ending = endingOf(name)
  return Object.hasOwn(languageIds, ending) || watched.includes(ending) || watched.includes(name)
}

function note(stamps: Map<string, string>, path: string): void {
  const stamp = stampOf(path)
  if (stamp !== undefined) stamps.set(path, stamp)
}

/** The time of change moves with every write and rename, also where a program sets the time of modification back. */
function stampOf(path: string): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  return facts && `${facts.ino} ${facts.ctimeMs} ${facts.size}`
}

function dependencyStamp(root: string, patterns: readonly string[]): string {
  const paths = patterns.flatMap((pattern) => expand([root], pattern.split("/")))
  return paths.map((path) => `${path} ${stampOf(path)}`).join("\n")
}

function expand(folders: readonly string[], [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return folders
  const next = folders.flatMap((folder) =>
    name === "*" ? entriesOf(folder).map((entry) => join(folder, entry.name)) : [join(folder, name)],
  )
  return expand(next, rest)
}
