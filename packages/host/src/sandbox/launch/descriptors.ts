import { randomBytes } from "node:crypto"
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, isInside } from "@haft/contract"

export type Descriptor = "status" | "arguments" | "filter" | "report" | "relay" | "handshake" | HeldDescriptor

/** A tree that is held open, by its place in the plan. */
type HeldDescriptor = `held ${number}`

/** Trees that are held open, by their paths. */
interface HeldTrees {
  readonly held?: readonly string[]
}

/** The descriptors of the trees of a plan, in their order. */
export function heldDescriptors({ held = [] }: HeldTrees): readonly HeldDescriptor[] {
  return held.map((_, index) => `held ${index}` as const)
}

/** Where the sandbox finds a path of the host: in the tree that is held for it, if there is one. */
export function heldSource(path: string, { held = [] }: HeldTrees, first: number): string {
  const trees = held.map((tree, index) => ({ tree, index })).filter(({ tree }) => isInside(path, tree))
  const found = trees.sort((one, other) => other.tree.length - one.tree.length)[0]
  return found ? `/proc/self/fd/${first + found.index}${path.slice(found.tree.length)}` : path
}

/** Which descriptors a sandbox wants from 3 on. */
interface DescribedDescriptors {
  readonly descriptors: readonly Descriptor[]
  readonly hiddenArguments?: readonly string[]
}

/** What they are opened from. */
interface DescriptorSources {
  readonly folder: string
  readonly filterFile?: string
  readonly held?: readonly number[]
}

/** Descriptors of one launch. */
export interface OpenDescriptors {
  /** Entries of `stdio` from descriptor 3 on. */
  readonly entries: readonly ("pipe" | number)[]
  readStatus(): string
  closeAllBut(kept: Descriptor | undefined): void
}

/** Opened for each launch: descriptors that share one opening also share how far it was read. */
export function openDescriptors(
  { descriptors, hiddenArguments = [] }: DescribedDescriptors,
  { folder, filterFile, held = [] }: DescriptorSources,
): OpenDescriptors {
  const own = new Map<Descriptor, number>()
  const entries = descriptors.map((descriptor) => {
    // A connection cannot be opened a second time by way of /proc, a file could be, and filled.
    if (descriptor === "relay" || descriptor === "report" || descriptor === "handshake") return "pipe"
    if (descriptor.startsWith("held ")) return held[Number(descriptor.slice("held ".length))]!
    const text = descriptor === "arguments" ? hiddenArguments.map((one) => `${one}\0`).join("") : ""
    const opened = descriptor === "filter" ? openSync(filterFile!, "r") : openTmpfile(folder, text)
    own.set(descriptor, opened)
    return opened
  })
  return {
    entries,
    readStatus() {
      const status = own.get("status")
      if (status === undefined) return ""
      const bytes = Buffer.alloc(4096)
      return bytes.toString("utf8", 0, readSync(status, bytes, 0, bytes.length, 0))
    },
    closeAllBut(kept: Descriptor | undefined) {
      for (const [descriptor, opened] of own) {
        if (descriptor === kept) continue
        own.delete(descriptor)
        closeSync(opened)
      }
    },
  }
}

// O_TMPFILE of Linux without O_DIRECTORY, whose number differs between architectures; Node does not name it.
const O_TMPFILE = 0o20000000

/** Opens a file without a name (O_TMPFILE), so that nothing of it is left; it is read from its beginning. */
export function openTmpfile(folder: string, text = ""): number {
  const descriptor = tryTmpfile(folder) ?? openAndUnlink(folder)
  try {
    // At a position, because the place where the next reader begins must not move.
    if (text !== "") writeSync(descriptor, text, 0)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function tryTmpfile(folder: string): number | undefined {
  const flags = O_TMPFILE | constants.O_DIRECTORY | constants.O_RDWR
  return bestEffort("some file systems have no such files", () => openSync(folder, flags, 0o600))
}

function openAndUnlink(folder: string): number {
  const path = join(folder, `open-${randomBytes(6).toString("hex")}`)
  const descriptor = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return descriptor
}
