import { closeSync, constants, openSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
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
  return new DescriptorDirectory(descriptor, path)
}

/** A class, because there are many of them and they have a lifetime. */
class DescriptorDirectory implements HeldDirectory {
  readonly path: string
  private readonly descriptor: number
  private closed = false

  constructor(descriptor: number, path: string) {
    this.descriptor = descriptor
    this.path = path
  }

  get self(): string {
    // The number may belong to another directory by now, perhaps one that nobody granted.
    if (!this.closed) return `/proc/self/fd/${this.descriptor}`
    throw new ToolError("cancelled", `Cannot look into "${this.path}": it is not held any more; open another session`)
  }

  entry(name: string): string {
    return `${this.self}/${name}`
  }

  *isInPlace(): Program<boolean> {
    return (yield* readlink(this.self)) === this.path
  }

  close(): void {
    if (!this.closed) closeQuietly(this.descriptor)
    this.closed = true
  }
}
