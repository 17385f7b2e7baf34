import { type Dirent, lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { FileChangeType } from "vscode-languageserver-protocol"
import { endingOf, type ServerSpec } from "../find/server-table.js"
import type { LanguageLimits } from "../limits.js"

/** The files of a workspace that matter to a server, as they were at one moment. */
export interface WorkspaceScan {
  /** What identifies the state of each file, by path. */
  readonly stamps: ReadonlyMap<string, string>
  /** What a rule denies reading, with its identity: the sandbox masks exactly these. */
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

/** How a file differs from what a server knows; the numbers are those of the protocol. */
export interface FileChange {
  readonly path: string
  readonly type: FileChangeType
}

/** What happened in a workspace between two scans. */
export type WorkspaceChanges =
  | { readonly kind: "changes"; readonly files: readonly FileChange[] }
  /** The server must start anew, for this reason. */
  | { readonly kind: "restart"; readonly reason: string }

// Above this, for instance after a change of branch, a fresh start is surer and not slower.
const maxChanges = 2000

/** Compares what a server knows with what is there now. */
export function compareScans(before: WorkspaceScan, after: WorkspaceScan): WorkspaceChanges {
  for (const [path, identity] of after.denied) {
    // A file that was replaced has lost its cover, and one that is denied only now never had any.
    if (before.denied.get(path) !== identity) return { kind: "restart", reason: "the rules or a covered file changed" }
  }
  if (before.dependencies !== after.dependencies) return { kind: "restart", reason: "installed packages changed" }
  const files: FileChange[] = []
  for (const [path, stamp] of after.stamps) {
    const known = before.stamps.get(path)
    if (known === undefined) files.push({ path, type: 1 })
    else if (known !== stamp) files.push({ path, type: 2 })
  }
  for (const path of before.stamps.keys()) if (!after.stamps.has(path)) files.push({ path, type: 3 })
  return files.length > maxChanges ? { kind: "restart", reason: "very many files changed" } : { kind: "changes", files }
}
