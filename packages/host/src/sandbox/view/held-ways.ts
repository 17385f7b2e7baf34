import { dirname } from "node:path"
import { isInside } from "@haft/contract"
import type { Mount } from "./mount.js"

/** A folder of the session that is shown in the place of one of the machine: commands write it, and it lasts. */
export interface SessionPlace {
  readonly source: string
  readonly target: string
  /** What lies on the way to a mount is the machine's: nothing of the session is shown there. */
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
 * link in the stead of such a folder, and whoever builds the next sandbox would follow it and make folders on the machine.
 * All sandboxes of a session hold the same ways, so that nobody can exchange one. Outermost first.
 */
export function heldWays(
  place: SessionPlace,
  targets: readonly string[],
  { places, isSealed }: WayRules,
): readonly Mount[] {
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
      // What is in it lies in memory, where no command can write.
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
