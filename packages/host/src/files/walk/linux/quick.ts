import { closeSync, fstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs"
import type { QuickFile, Target } from "../walk.js"
import { O_PATH } from "./hold.js"
import { pinFlags, readFlags } from "./pin.js"

/**
 * The steps of `pin` for the most usual case, a path without links on a local file system, as plain calls: a program of
 * steps costs more than these system calls do. The kernel looks the path up and then tells where it ended.
 * Undefined when anything is unusual; the careful way then finds out what.
 */
export function withQuickFile<Result>(
  { root, parts }: Target,
  use: (file: QuickFile) => Result | undefined,
): Result | undefined {
  const below = parts.join("/")
  const path = below === "" ? root.path : root.path === "/" ? `/${below}` : `${root.path}/${below}`
  let descriptor: number
  try {
    descriptor = openSync(root.held.entry(below), pinFlags)
  } catch {
    return undefined
  }
  try {
    const self = `/proc/self/fd/${descriptor}`
    if (readlinkSync(self) !== path) return undefined
    const facts = fstatSync(descriptor)
    return facts.isFile() ? use({ path, facts, read: () => readWhole(self, facts.size) }) : undefined
  } finally {
    closeSync(descriptor)
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

function readWhole(self: string, size: number): Buffer {
  const descriptor = openSync(self, readFlags)
  try {
    // Not from the shared pool: a small slice that is kept would keep its whole pool alive.
    const buffer = Buffer.allocUnsafeSlow(size)
    let filled = 0
    while (filled < size) {
      const count = readSync(descriptor, buffer, filled, size - filled, filled)
      if (count === 0) return buffer.subarray(0, filled)
      filled += count
    }
    return buffer
  } finally {
    closeSync(descriptor)
  }
}
