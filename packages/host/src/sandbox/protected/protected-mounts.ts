import { readdirSync, type Stats } from "node:fs"
import { dirname, join } from "node:path"
import { isInside } from "@haft/contract"
import { exists, statsOf } from "../../files/system/look.js"
import type { Approvals } from "./approvals.js"
import { noDirectory, protectedNames, protectedWhenPresent } from "./protected-names.js"

/** How the protected names of a writable tree are kept from being written, renamed away or created. */
export interface ProtectedMounts {
  /** Directories above protected names, outermost first: as mount points they cannot be renamed. */
  readonly ancestors: readonly string[]
  /** Exist and are bound read-only. */
  readonly frozen: readonly string[]
  /** Do not exist: each gets a placeholder, an empty directory that is mounted read-only. */
  readonly absent: readonly string[]
  /** Links under protected names: a mount would cover what they point to, so they are compared after the command. */
  readonly links: readonly string[]
  /** Commands behind other sandboxes may change the workspace at the same time. */
  readonly shared: boolean
}

/** A folder in a writable tree, with the names that are protected there: by default those of a workspace. */
export interface ProtectedFolder {
  readonly root: string
  readonly path: string
  readonly names?: readonly string[]
  /** The command may remove the folder itself: mounts in it would keep it there, so its names get none. */
  readonly leaves?: boolean
}

/** What to protect, and where. */
export interface MountRequest {
  /** The root and the directories in it that hold a repository; a root first. */
  readonly places: readonly ProtectedFolder[]
  readonly approvals: Approvals
  /** Whether an empty directory is only there as the placeholder of another command. */
  readonly isPlaceholder: (path: string) => boolean
  /** Whether another command has placeholders at this time. */
  readonly shared: boolean
}

/** More entries than this in a folder of which one was approved are compared after the command instead. */
const maxSiblings = 64

/** Looks at every protected name and decides which mount protects it. */
export function planProtectedMounts({ places, approvals, isPlaceholder, shared }: MountRequest): ProtectedMounts {
  const ancestors = new Set<string>()
  const frozen = new Set<string>()
  const absent = new Set<string>()
  const links = new Set<string>()

  for (const place of places) {
    if (place.leaves) continue
    for (const folder of between(place.root, place.path)) ancestors.add(folder)
    for (const name of place.names ?? protectedNames) hold(place.path, name)
    if (place.names) continue
    for (const name of protectedWhenPresent) if (exists(join(place.path, name))) hold(place.path, name)
  }
  return {
    ancestors: [...ancestors].filter((path) => !isBelowAny(path, frozen)),
    frozen: [...frozen],
    absent: [...absent],
    links: [...links],
    shared,
  }

  function hold(place: string, name: string): void {
    for (const parts of expand(place, name.split("/"), isPlaceholder)) holdOne(place, name, parts)
  }

  function holdOne(place: string, name: string, parts: readonly string[]): void {
    let path = place
    for (const [index, part] of parts.entries()) {
      path = join(path, part)
      const facts = statsOf(path)
      const isLast = index === parts.length - 1
      if (!facts || isPlaceholder(path)) {
        // The first missing part is held: nothing can be made below it either.
        const isFree = approvals.cover(path) || approvals.reachInto(path) || (isLast && !allowsDirectory(place, name))
        if (!isFree) absent.add(path)
        return
      }
      if (facts.isSymbolicLink()) return void links.add(path)
      if (isLast || !facts.isDirectory()) return void freeze(path, facts)
      ancestors.add(path)
    }
  }

  /** All of a name, or, where something in it was approved, everything beside that. */
  function freeze(path: string, facts: Stats): void {
    if (approvals.cover(path)) return
    if (!facts.isDirectory() || !approvals.reachInto(path)) return void frozen.add(path)
    ancestors.add(path)
    const names = readdirSync(path)
    if (names.length > maxSiblings) return
    for (const name of names) {
      const below = join(path, name)
      const inside = statsOf(below)
      if (inside?.isSymbolicLink()) links.add(below)
      else if (inside) freeze(below, inside)
    }
  }
}

/** Fills in `*` with the directories that are there; without any the part before it is what can be held. */
function expand(
  place: string,
  parts: readonly string[],
  isPlaceholder: MountRequest["isPlaceholder"],
): readonly (readonly string[])[] {
  const star = parts.indexOf("*")
  if (star < 0) return [parts]
  const before = parts.slice(0, star)
  const folder = join(place, ...before)
  const names = isPlaceholder(folder) ? undefined : directoriesIn(folder)
  if (names === undefined) return [before]
  return names.map((name) => [...before, name, ...parts.slice(star + 1)])
}

function directoriesIn(folder: string): readonly string[] | undefined {
  if (!statsOf(folder)?.isDirectory()) return undefined
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

/** Whether the program that reads the name works with a directory there. */
function allowsDirectory(place: string, name: string): boolean {
  if (!Object.hasOwn(noDirectory, name)) return true
  const marker = noDirectory[name]
  return marker !== undefined && !exists(join(place, marker))
}

function between(root: string, path: string): readonly string[] {
  if (path === root) return []
  return [...between(root, dirname(path)), path]
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  return [...folders].some((one) => isInside(path, one))
}
