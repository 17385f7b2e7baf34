import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs"
import { dirname, join } from "node:path"
import { isWithin } from "../view/mount.js"
import { cannotStand, protectedNames, protectedWhenPresent } from "./protected-names.js"

/** How the protected names of a writable tree are kept from being written, renamed away or created. */
export interface Holds {
  /** Directories above protected names, outermost first: as mount points they cannot be renamed. */
  readonly ancestors: readonly string[]
  /** Exist and are bound read-only. */
  readonly frozen: readonly string[]
  /** Do not exist: an empty directory is laid over each. */
  readonly absent: readonly string[]
  /** Cannot be held by a mount; compared after the run. */
  readonly free: readonly FreeName[]
  /** Commands behind other walls may change the workspace at the same time. */
  readonly shared: boolean
}

/** A name that a mount cannot hold, as it was before the run. */
export interface FreeName {
  readonly path: string
  /** The text of a link; undefined when nothing was there. */
  readonly link?: string
}

/** A folder in a writable tree, with the names that are protected there: by default those of a workspace. */
export interface HoldPlace {
  readonly root: string
  readonly path: string
  readonly names?: readonly string[]
  /** The command may remove the folder itself: mounts in it would keep it there, so its names are compared after the run. */
  readonly leaves?: boolean
}

/** What to hold, and where. */
export interface HoldRequest {
  /** The root and the directories in it that hold a repository; a root first. */
  readonly places: readonly HoldPlace[]
  /** Paths that a person approved for this run. */
  readonly approved: readonly string[]
  /** Whether an empty directory is only there because another command holds its name. */
  readonly isStub: (path: string) => boolean
  /** Whether another command holds names at this time. */
  readonly shared: boolean
}

/** Looks at every protected name and decides how to hold it. */
export function planHolds({ places, approved, isStub, shared }: HoldRequest): Holds {
  const ancestors = new Set<string>()
  const frozen = new Set<string>()
  const absent = new Set<string>()
  const free = new Map<string, FreeName>()

  for (const place of places) {
    if (place.leaves) {
      for (const name of place.names ?? protectedNames) leaveFree(place.path, name)
      continue
    }
    for (const folder of between(place.root, place.path)) ancestors.add(folder)
    for (const name of place.names ?? protectedNames) hold(place.path, name)
    if (place.names) continue
    for (const name of protectedWhenPresent) if (exists(join(place.path, name))) hold(place.path, name)
  }
  return {
    ancestors: [...ancestors].filter((path) => !isBelowAny(path, frozen)),
    frozen: [...frozen],
    absent: [...absent],
    free: [...free.values()],
    shared,
  }

  /** What is there goes with its folder; what is not must not be there afterwards either. */
  function leaveFree(place: string, name: string): void {
    for (const parts of expand(place, name.split("/"), isStub)) {
      const path = join(place, ...parts)
      if ((!exists(path) || isStub(path)) && !isApproved(path)) free.set(path, { path })
    }
  }

  function hold(place: string, name: string): void {
    for (const parts of expand(place, name.split("/"), isStub)) holdOne(place, name, parts)
  }

  function holdOne(place: string, name: string, parts: readonly string[]): void {
    let path = place
    for (const [index, part] of parts.entries()) {
      path = join(path, part)
      const facts = factsOf(path)
      const isLast = index === parts.length - 1
      if (!facts || isStub(path)) {
        if (isApproved(path)) return
        // The first missing part is held: nothing can be made below it either.
        if (isLast && !standsDirectory(place, name)) free.set(path, { path })
        else absent.add(path)
        return
      }
      if (facts.isSymbolicLink()) return void free.set(path, { path, link: readlinkSync(path) })
      if (isLast || !facts.isDirectory()) {
        if (!isApproved(path)) frozen.add(path)
        return
      }
      ancestors.add(path)
    }
  }

  function isApproved(path: string): boolean {
    return approved.some((one) => isWithin(one, path) || isWithin(path, one))
  }
}

/** Fills in `*` with the directories that are there; without any the part before it is what can be held. */
function expand(
  place: string,
  parts: readonly string[],
  isStub: HoldRequest["isStub"],
): readonly (readonly string[])[] {
  const star = parts.indexOf("*")
  if (star < 0) return [parts]
  const before = parts.slice(0, star)
  const folder = join(place, ...before)
  const names = isStub(folder) ? undefined : directoriesIn(folder)
  if (names === undefined) return [before]
  return names.map((name) => [...before, name, ...parts.slice(star + 1)])
}

function directoriesIn(folder: string): readonly string[] | undefined {
  if (!factsOf(folder)?.isDirectory()) return undefined
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

/** Whether the program that reads the name works with a directory there. */
function standsDirectory(place: string, name: string): boolean {
  if (!Object.hasOwn(cannotStand, name)) return true
  const marker = cannotStand[name]
  return marker !== undefined && !exists(join(place, marker))
}

function between(root: string, path: string): readonly string[] {
  if (path === root) return []
  return [...between(root, dirname(path)), path]
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  return [...folders].some((one) => isWithin(path, one))
}

function exists(path: string): boolean {
  return factsOf(path) !== undefined
}

/** A part of the path that is a file, or that this user may not enter, counts as missing. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
