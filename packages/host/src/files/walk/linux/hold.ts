import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { closeQuietly, open, readlink } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import { type HeldDirectory, pathOf, type QuickHold, type Target } from "../walk.js"

/** Finds a place without opening what is there; the same value on every architecture that Node.js supports. */
export const O_PATH = 0o10000000

/** Flags that find a thing without opening it, a link included. */
export const pinFlags = O_PATH | constants.O_NOFOLLOW
/** Not blocking: a FIFO must not wait for its writer. It is refused before, but may have taken the place of a file. */
export const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

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
 * Holds the directory that a path without links resolves to; undefined when the kernel reached another place, which means
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

/**
 * The steps of `pin` for the most usual case, a path without links on a local file system, as plain calls: a program of
 * steps costs more than these system calls do. The kernel looks the path up and then tells where it ended.
 */
export function holdQuickly(target: Target): QuickHold | "elsewhere" | undefined {
  const path = pathOf(target)
  let descriptor: number
  try {
    descriptor = openSync(target.root.held.entry(target.below), pinFlags)
  } catch {
    return undefined
  }
  let held: QuickHold | undefined
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== path) return "elsewhere"
    const facts = fstatSync(descriptor)
    if (facts.isSymbolicLink()) return "elsewhere"
    // What was removed meanwhile is no longer at its path; the careful way sees what is.
    held = facts.nlink === 0 ? undefined : new DescriptorHold(path, facts, descriptor)
    return held
  } finally {
    if (!held) closeSync(descriptor)
  }
}

class DescriptorHold implements QuickHold {
  readonly path: string
  readonly facts: Stats
  private readonly descriptor: number
  private closed = false

  constructor(path: string, facts: Stats, descriptor: number) {
    this.path = path
    this.facts = facts
    this.descriptor = descriptor
  }

  read(): Buffer {
    const descriptor = this.openForReading()
    try {
      return readWhole(descriptor, this.facts.size)
    } finally {
      closeSync(descriptor)
    }
  }

  openForReading(): number {
    return openSync(`/proc/self/fd/${this.descriptor}`, readFlags)
  }

  /** Only once: the number may belong to another file by then. */
  close(): void {
    if (!this.closed) closeSync(this.descriptor)
    this.closed = true
  }
}

/** Where a path leads and what is there, links followed; undefined when nothing is there or it may not be looked at. */
export function lookQuickly(absolute: string): { readonly resolved: string; readonly facts: Stats } | undefined {
  let descriptor: number
  try {
    // Finds the place and opens nothing: no device wakes up, no FIFO waits.
    descriptor = openSync(absolute, O_PATH)
  } catch {
    return undefined
  }
  try {
    const facts = fstatSync(descriptor)
    // A file that was removed meanwhile has no place any more; the careful way judges the path by its spelling.
    return facts.nlink === 0 ? undefined : { resolved: readlinkSync(`/proc/self/fd/${descriptor}`), facts }
  } finally {
    closeSync(descriptor)
  }
}

function readWhole(descriptor: number, size: number): Buffer {
  // Not from the shared pool: a small slice that is kept would keep its whole pool alive.
  const buffer = Buffer.allocUnsafeSlow(size)
  let filled = 0
  while (filled < size) {
    const count = readSync(descriptor, buffer, filled, size - filled, filled)
    if (count === 0) return buffer.subarray(0, filled)
    filled += count
  }
  return buffer
}
