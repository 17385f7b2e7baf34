import { dirname } from "node:path"
import { isInside } from "@haft/contract"
import type { SandboxVariant } from "../backend.js"
import type { Mount } from "./mount.js"

/** The parts of a view, each already in order. */
export interface ViewParts {
  readonly system: readonly Mount[]
  /** The home directory first, then what is in it. */
  readonly home: readonly Mount[]
  /** Folders with what a command may change outside the roots, in the place of those of the machine. */
  readonly outside: readonly Mount[]
  /** Paths that the user's configuration lets commands read. */
  readonly readable: readonly string[]
  readonly roots: readonly ViewRoot[]
  /** Folders that no view shows, whatever they are in: state and configuration of Haft. */
  readonly hidden: readonly string[]
  readonly state: readonly Mount[]
  /** Folders among these mounts that commands write and that last. */
  readonly places: readonly SessionPlace[]
  readonly protection: readonly Mount[]
  readonly masks: readonly Mount[]
}

/** A directory tree of the session. */
export interface ViewRoot {
  readonly path: string
  readonly writable: boolean
  /** Holds more than a project: is mounted below the private parts of the view, so that they cover it. */
  readonly wide: boolean
}

const all: ViewRoot = { path: "/", writable: false, wide: true }

/** Builds the whole view up from an empty tree; what is not named here does not exist inside. */
export function buildView(parts: ViewParts): readonly Mount[] {
  const wide = parts.roots.filter((root) => root.wide)
  const narrow = parts.roots.filter((root) => !root.wide)
  const showsAll = wide.some(({ path }) => path === all.path)
  const shown: readonly Mount[] = [
    ...(showsAll ? [bindRoot(all), ...overAll(parts.system)] : parts.system),
    ...wide.filter(({ path }) => path !== all.path).map(bindRoot),
    ...parts.home.slice(0, 1),
    ...parts.outside,
    ...parts.home.slice(1),
    ...parts.readable.map((path) => ({ kind: "read", source: path, target: path }) as const),
    ...parentsFirst(narrow).map(bindRoot),
  ]
  const unheld = [...shown, ...cover(parts.hidden, shown), ...parts.state]
  const held = withWays(unheld, parts)
  // A mount on something in a hidden folder would show it again.
  const protection = parts.protection.filter(({ target }) => !parts.hidden.some((folder) => isInside(target, folder)))
  return [
    ...held,
    ...protection.filter(({ kind }) => kind !== "placeholder"),
    ...parts.masks,
    // Last, because a backend may look through all earlier mounts for each of the others, and not for these.
    ...protection.filter(({ kind }) => kind === "placeholder"),
    // Folders that only exist to hold mounts; without this a command could write there and believe it was kept.
    ...sealedFolders(held).map(freeze),
    ...(showsAll ? [] : [freeze("/")]),
  ]
}

/** Sealed folders that nothing else was mounted over. */
function sealedFolders(mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap((mount, place) => {
    if (mount.kind !== "memory" || !mount.sealed) return []
    return mounts.some(({ target }, later) => later > place && target === mount.target) ? [] : [mount.target]
  })
}

function freeze(target: string): Mount {
  return { kind: "freeze", target }
}

/** Adds mounts for the folders on the way to each target, right above the folder of the session that it is in. */
function withWays(mounts: readonly Mount[], { places, roots, hidden, outside }: ViewParts): readonly Mount[] {
  const targets = mounts.map(({ target }) => target)
  // What only this command has a mount in is held by no other one: nothing of the session is shown there.
  const lasting = mounts.flatMap((mount) => (outside.includes(mount) ? [] : [mount.target]))
  const isSealed = (folder: string) =>
    hidden.includes(folder) ||
    roots.some(({ path }) => path !== folder && isInside(path, folder)) ||
    !lasting.some((target) => target !== folder && isInside(target, folder))
  return mounts.flatMap((mount) => {
    const place = places.find(
      ({ source, target }) => "source" in mount && mount.source === source && mount.target === target,
    )
    return place ? [mount, ...heldWays(place, targets, { places, isSealed })] : [mount]
  })
}

/** Over the whole machine: links are there already, and its kernel's settings are hidden as everywhere. */
function overAll(system: readonly Mount[]): readonly Mount[] {
  const kernel: Mount = { kind: "memory", target: "/sys", maxBytes: 4096, mode: 0o755 }
  return [kernel, ...system.filter(({ kind, target }) => kind !== "link" || target.startsWith("/var/"))]
}

/** An empty folder over each hidden one that something shown would let through. */
function cover(hidden: readonly string[], shown: readonly Mount[]): readonly Mount[] {
  const through = shown.flatMap((mount) => (mount.kind === "read" || mount.kind === "write" ? [mount] : []))
  return hidden
    .filter((path) => through.some(({ source, target }) => source === target && isInside(path, target)))
    .map((target) => ({ kind: "memory", target, maxBytes: 1024 * 1024, mode: 0o755 }))
}

function bindRoot({ path, writable }: ViewRoot): Mount {
  return { kind: writable ? "write" : "read", source: path, target: path }
}

function parentsFirst(roots: readonly ViewRoot[]): readonly ViewRoot[] {
  return [...roots].sort((left, right) => left.path.length - right.path.length)
}

/** A folder of the session that is shown in the place of one of the machine: commands write it, and it lasts. */
export interface SessionPlace {
  readonly source: string
  readonly target: string
  /** What is on the way to a mount is the machine's: nothing of the session is shown there. */
  readonly isSealed?: boolean
}

/** Which places there are, and which folders in them belong to none of the commands. */
export interface WayRules {
  readonly places: readonly SessionPlace[]
  /** Nothing beside what is mounted there can be seen in it or written to it. */
  readonly isSealed: (folder: string) => boolean
}

/**
 * Makes every folder between a session's place and a mount in it a mount point of its own. A command could otherwise put a
 * link in the place of such a folder (a symlink race), and the next sandbox would follow it and make folders on the machine.
 * All sandboxes of a session hold the same ways, so that nobody can exchange one. Outermost first.
 */
function heldWays(place: SessionPlace, targets: readonly string[], { places, isSealed }: WayRules): readonly Mount[] {
  const ways = new Map<string, Mount>()
  for (const target of targets) {
    if (!isInnermost(place, target, places)) continue
    for (const folder of foldersBetween(place.target, target)) {
      const source = place.source + folder.slice(place.target.length)
      const sealed = place.isSealed === true || isSealed(folder)
      ways.set(
        folder,
        sealed
          ? { kind: "memory", target: folder, maxBytes: sealedBytes, mode: 0o755, sealed: true, makes: source }
          : { kind: "write", source, target: folder, makes: source },
      )
      // What is in it is in memory, where no command can write.
      if (sealed) break
    }
  }
  return [...ways.values()].sort((left, right) => left.target.length - right.target.length)
}

/** Only folders for further mounts. */
const sealedBytes = 64 * 1024

function isInnermost(place: SessionPlace, target: string, places: readonly SessionPlace[]): boolean {
  const isAround = ({ target: folder }: SessionPlace) => folder !== target && isInside(target, folder)
  return isAround(place) && !places.some((other) => isAround(other) && other.target.length > place.target.length)
}

function foldersBetween(above: string, target: string): readonly string[] {
  const found: string[] = []
  for (let folder = dirname(target); folder !== above && isInside(folder, above); folder = dirname(folder)) {
    found.unshift(folder)
  }
  return found
}

/** Whether the path of the host is at the same path inside. */
export function isVisible(path: string, view: readonly Mount[]): boolean {
  const last = view.findLast((mount) => "target" in mount && mount.kind !== "freeze" && isInside(path, mount.target))
  if (last?.kind === "link") return true
  return (last?.kind === "read" || last?.kind === "write") && last.source === last.target
}

/** The view as this machine allows it. The process table of the host is never shown in place of a refused one. */
export function withVariant(view: readonly Mount[], variant: SandboxVariant): readonly Mount[] {
  if (variant.processes) return view
  return view.map((mount) =>
    mount.kind === "processes" ? { kind: "memory", target: mount.target, maxBytes: 4096, mode: 0o555 } : mount,
  )
}
