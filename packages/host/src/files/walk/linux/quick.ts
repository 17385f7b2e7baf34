import { closeSync, fstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs"
import { pathOf, type QuickHold, type Target } from "../walk.js"
import { O_PATH } from "./hold.js"
import { pinFlags, readFlags } from "./pin.js"

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
