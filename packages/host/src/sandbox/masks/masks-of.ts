import { lstatSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { type FileEffectKind, isInside } from "@haft/contract"
import type { Mount } from "../view/mount.js"
import type { IndexedDirectory, TreeIndex } from "./tree-index.js"

/** What must be covered in a root. */
export interface Masks {
  readonly mounts: readonly Mount[]
  /** A rule denies writing so many files that the whole root is better read-only. */
  readonly freezeRoot: boolean
  readonly notes: readonly string[]
  /** Folders in which something that rules deny may be open. */
  readonly unscanned: readonly string[]
  readonly complete: boolean
  /** Denied files with more than one name that lie in a denied folder, and so have no mount of their own. */
  readonly linked: readonly { readonly path: string; readonly hidden: boolean }[]
}

/** What the rules say about paths. */
export interface MaskRules {
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  readonly rulesKey?: unknown
}

/** More masks than this make every command slow, and whoever needs them should move the files instead. */
export const maxMasks = 2000

/** Finds what is denied in the trees, and sockets, devices and FIFOs of the host. */
export function createMasks(indexes: readonly TreeIndex[]): (rules: MaskRules) => Masks {
  // Keyed by the record of a directory, which is a new one whenever the directory changed.
  let verdicts = new WeakMap<IndexedDirectory, readonly Denied[]>()
  let lastKey: unknown
  const roots = indexes.map(({ root }) => root)
  return ({ denies, rulesKey }) => {
    if (rulesKey === undefined || rulesKey !== lastKey) verdicts = new WeakMap()
    lastKey = rulesKey
    const denied: Denied[] = []
    for (const index of indexes) {
      for (const directory of index.directories()) {
        let found = verdicts.get(directory)
        if (!found) {
          found = judge(directory, denies, roots)
          verdicts.set(directory, found)
        }
        for (const one of found) denied.push(one)
      }
    }
    return toMasks(denied, indexes)
  }
}

interface Denied {
  readonly path: string
  readonly what: "file" | "directory"
  /** Hidden from reading; otherwise only from writing. */
  readonly hidden: boolean
  /** It had more than one name when it was judged. */
  readonly isLinked: boolean
}

function judge(directory: IndexedDirectory, denies: MaskRules["denies"], roots: readonly string[]): readonly Denied[] {
  const found: Denied[] = []
  const cover = (path: string, kind: "file" | "directory" | "link", hidden: boolean) =>
    // What lies outside the roots cannot be written anyway, and to bind it read-only would be to show it.
    covered(path, kind, hidden).filter((one) => hidden || roots.some((root) => isInside(one.path, root)))
  if (directory.isClosed) found.push({ path: directory.path, what: "directory", hidden: true, isLinked: false })
  for (const { name, kind } of directory.entries) {
    const path = join(directory.path, name)
    if (kind === "special") found.push({ path, what: "file", hidden: true, isLinked: false })
    else if (denies("fs.read", path)) found.push(...cover(path, kind, true))
    else if (denies("fs.write", path)) found.push(...cover(path, kind, false))
  }
  return found
}

/** A link cannot be covered itself: what it leads to is, where that is a file of the machine. */
function covered(path: string, kind: "file" | "directory" | "link", hidden: boolean): readonly Denied[] {
  if (kind === "directory") return [{ path, what: kind, hidden, isLinked: false }]
  try {
    const target = kind === "link" ? realpathSync(path) : path
    const facts = lstatSync(target)
    return [
      {
        path: target,
        what: facts.isDirectory() ? "directory" : "file",
        hidden,
        isLinked: facts.isFile() && facts.nlink > 1,
      },
    ]
  } catch {
    // What came to an end meanwhile needs no cover; what cannot be looked at gets one.
    return kind === "link" ? [] : [{ path, what: kind, hidden, isLinked: false }]
  }
}

function toMasks(denied: readonly Denied[], indexes: readonly TreeIndex[]): Masks {
  const hidden = outermost(denied.filter((one) => one.hidden))
  const frozen = outermost(denied.filter((one) => !one.hidden))
  const stopped = indexes.flatMap((index) => index.stopped() ?? [])
  const freezeRoot = frozen.length > maxMasks
  const notes = [
    ...stopped.map((why) => `not all of the workspace was looked through for files that rules deny: ${why}`),
    ...(freezeRoot
      ? ["the workspace is read-only: rules deny writing too many of its files to hold each of them"]
      : []),
  ]
  const mounts: Mount[] = [
    ...(freezeRoot ? [] : frozen.map(({ path }) => ({ kind: "read", source: path, target: path }) as const)),
    ...hidden.map(({ path, what }) => ({ kind: "hide", target: path, what }) as const),
  ]
  const own = new Set(mounts.map(({ target }) => target))
  const linked = denied.filter(({ path, isLinked }) => isLinked && !own.has(path))
  return { mounts, freezeRoot, notes, unscanned: [], complete: stopped.length === 0, linked }
}

/** Sorted, without what lies inside another one: a mask covers everything below it. */
function outermost(denied: readonly Denied[]): readonly Denied[] {
  const sorted = [...denied].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0))
  const kept: Denied[] = []
  const folders: string[] = []
  for (const one of sorted) {
    if (kept.at(-1)?.path === one.path || folders.some((folder) => isInside(one.path, folder))) continue
    if (one.what === "directory") folders.push(one.path)
    kept.push(one)
  }
  return kept
}
