import { isUtf8 } from "node:buffer"
import { type Dirent, readdirSync } from "node:fs"
import { relative, sep } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { shownName } from "../../undo/record/scan-workspace.js"
import { FoundInDirectories, type WorkspaceIndex } from "../../workspace-index/index.js"
import {
  folded,
  isProtected,
  isProtectedFolded,
  mayHoldProtected,
  namesInFolder,
  protectedInGit,
} from "./protected-names.js"

/** A path of the file system: as bytes where it is no text. */
export type Path = string | Buffer

/** A protected name that is there. */
export interface FoundName {
  /** How it is shown: its path, wherever that is text. */
  readonly shown: string
  readonly path: Path
  readonly role: Role
}

/**
 * What is known about names of git: its settings, its hooks, and files that say where a repository is (`.git` in a
 * worktree, `commondir`). Every other protected name is plain.
 */
export type Role = "plain" | "settings" | "hooks" | "pointer"

/** Finds the protected names of the trees; names of folders that did not change are remembered. */
export function createProtectedFinder(indexes: readonly WorkspaceIndex[]): () => FoundNames {
  const inDirectories = new FoundInDirectories(indexes, (directory, root): FoundHere | undefined => {
    if (directory.unread !== undefined) return undefined
    const { path, entries } = directory
    const named = mayHoldProtected(entries.text) ? namesIn(root, path, [...entries]) : []
    return named.length > 0 || directory.isOdd ? { root, named, isOdd: directory.isOdd } : undefined
  })
  return () => {
    const found: FoundName[] = []
    const budget = { left: maxOddEntries }
    for (const [folder, { root, named, isOdd: hasOdd }] of inDirectories.entries()) {
      for (const { name, role } of named) {
        const path = `${folder}/${name}`
        if (!isOdd(name)) found.push({ shown: path, path, role })
      }
      // A folder whose name is no text is in no index.
      const place = { shown: folder, path: folder }
      const pending = hasOdd ? [...look(root, place, found, budget, (name) => !isUtf8(name))] : []
      for (let odd = pending.pop(); odd && budget.left > 0; odd = pending.pop()) {
        pending.push(...look(root, odd, found, budget))
      }
    }
    return { found, isWhole: budget.left > 0 }
  }
}

const maxOddEntries = 20_000

/** What was found, and whether all was looked at. */
export interface FoundNames {
  readonly found: readonly FoundName[]
  readonly isWhole: boolean
}

/** Protected names in folders that no index reads, as far as so many entries. */
export async function namesBelow(root: string, folders: readonly string[], maxEntries: number): Promise<FoundNames> {
  const found: FoundName[] = []
  const budget = { left: maxEntries }
  const pending = folders.map((folder): Place => ({ shown: folder, path: folder }))
  for (let folder = pending.pop(); folder && budget.left > 0; folder = pending.pop()) {
    pending.push(...look(root, folder, found, budget))
    await nextTurn()
  }
  return { found, isWhole: budget.left > 0 }
}

interface FoundHere {
  readonly root: string
  readonly named: readonly Named[]
  /** Some name is no text: it has to be read as bytes. */
  readonly isOdd: boolean
}

interface Named {
  readonly name: string
  readonly role: Role
}

interface Entry {
  readonly name: string
  readonly kind: "file" | "directory" | "link" | "special"
}

/** The protected names among the entries of a folder; none in a folder that is protected itself. */
function namesIn(root: string, path: string, entries: readonly Entry[]): readonly Named[] {
  const folder = relative(root, path).split(sep).filter(Boolean)
  if (isProtected(folder)) return []
  const own = folder.at(-1) ?? ""
  const inGit = partsInGit(folder)
  const isModule = inGit?.[0] === "modules" && !inGit.some((part) => ["refs", "logs", "objects"].includes(part))
  const isGit = inGit?.length === 0 || isModule || isGitDirectory(entries)
  const isInfo = folded(own) === "info" && (inGit?.length === 1 || isModule)
  const named = namesInFolder(own)
  const found: Named[] = []
  for (const { name, kind } of entries) {
    const role = name === ".git" && kind !== "directory" ? "pointer" : roleOf(folded(name))
    if (role !== undefined) found.push({ name, role })
  }
  return found

  function roleOf(plain: string): Role | undefined {
    if (isProtectedFolded(plain) || named?.has(plain)) return "plain"
    if (isInfo && plain === "attributes") return "plain"
    if (!isGit) return undefined
    // Git makes one for a further worktree only; in a repository it would take the settings from elsewhere.
    if (plain === "commondir") return inGit?.length === 0 ? "plain" : "pointer"
    if (!protectedInGit.includes(plain)) return undefined
    return plain === "hooks" ? "hooks" : "settings"
  }
}

/** The parts of a path below the last `.git` in it. */
function partsInGit(folder: readonly string[]): readonly string[] | undefined {
  const plain = folder.map(folded)
  const git = plain.lastIndexOf(".git")
  return git < 0 ? undefined : plain.slice(git + 1)
}

/**
 * As git itself decides, so that a bare repository and what `.git` or `commondir` of a worktree points to count as well: git
 * obeys the settings of a directory that it starts in, or is led to. The one that `commondir` names needs no HEAD.
 */
function isGitDirectory(entries: readonly Entry[]): boolean {
  const has = (wanted: string) => entries.some(({ name }) => name === wanted)
  return (has("objects") && has("refs")) || (has("HEAD") && has("commondir"))
}

/** The character that replaces bytes which are no text. */
const notText = "\ufffd"

function isOdd(name: string): boolean {
  return name.includes(notText)
}

/** Where something is, and how that is shown. */
export interface Place {
  readonly shown: string
  readonly path: Path
}

/** Looks at the entries of a folder that are chosen; gives the folders among them that are to be looked at next. */
function look(
  root: string,
  folder: Place,
  found: FoundName[],
  budget: { left: number },
  isChosen: (name: Buffer) => boolean = () => true,
): readonly Place[] {
  const entries = entriesIn(folder.path)
  budget.left -= entries.length
  const named = namesIn(
    root,
    folder.shown,
    entries.map((entry) => ({ name: entry.name.toString(), kind: kindOf(entry) })),
  )
  const roles = new Map(named.map(({ name, role }) => [name, role]))
  return entries.flatMap((entry) => {
    if (!isChosen(entry.name)) return []
    const place = within(folder, entry.name)
    const role = roles.get(entry.name.toString())
    if (role !== undefined) found.push({ ...place, role })
    return role === undefined && entry.isDirectory() ? [place] : []
  })
}

/** An entry of a folder; its path is text where all of it can be. */
export function within({ shown, path }: Place, name: Buffer): Place {
  if (typeof path === "string" && isUtf8(name)) return { shown: `${shown}/${name}`, path: `${path}/${name}` }
  return { shown: `${shown}/${shownName(name)}`, path: Buffer.concat([Buffer.from(path), Buffer.from("/"), name]) }
}

/** The entries of a folder by their bytes; none where it cannot be read. */
export function entriesIn(folder: Path): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: "buffer" })
  } catch {
    return []
  }
}

function kindOf(entry: Dirent<Buffer>): Entry["kind"] {
  if (entry.isDirectory()) return "directory"
  return entry.isSymbolicLink() ? "link" : "file"
}
