import { closeSync, constants, openSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { closeQuietly, open, readlink } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import type { HeldDirectory } from "../walk.js"

/** Finds a place without opening what is there; the same value on every architecture that Node.js supports. */
export const O_PATH = 0o10000000

/** Flags for a directory that must not be reached through a link. */
const directoryFlags = O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY

/** Holds a directory of which the path is known to be free of links. */
export function holdRoot(path: string): HeldDirectory {
  const descriptor = openSync(path, directoryFlags)
  const held = heldDirectory(descriptor, path)
  try {
    readlinkSync(held.self)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return held
}

/**
 * Holds the directory that a path without links leads to; undefined when the kernel reached another place, which means
 * that a link took part. One look-up by the kernel instead of one per part, and the kernel itself tells where it ended.
 */
export function* holdDirectly(from: HeldDirectory, parts: readonly string[]): Program<HeldDirectory | undefined> {
  const descriptor = yield* open(from.entry(parts.join("/")), directoryFlags)
  const held = heldDirectory(descriptor, join(from.path, ...parts))
  try {
    if (yield* held.isInPlace()) return held
  } catch (error) {
    held.close()
    throw error
  }
  held.close()
  return undefined
}

/** Holds a directory inside a held one; throws when the entry is a link or no directory. */
export function* enter(directory: HeldDirectory, name: string): Program<HeldDirectory> {
  return heldDirectory(yield* open(directory.entry(name), directoryFlags), join(directory.path, name))
}

function heldDirectory(descriptor: number, path: string): HeldDirectory {
  const self = `/proc/self/fd/${descriptor}`
  let closed = false
  return {
    path,
    self,
    entry: (name) => `${self}/${name}`,
    *isInPlace() {
      return (yield* readlink(self)) === path
    },
    close() {
      if (!closed) closeQuietly(descriptor)
      closed = true
    },
  }
}
