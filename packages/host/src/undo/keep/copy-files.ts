import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs"
import { bestEffort } from "@haft/contract"
import { procSelf } from "../../files/system/look.js"
import { type Identity, sameContent } from "../record/scan-workspace.js"

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a regular file, with no link in any part of its path: a folder that was exchanged for a link meanwhile must not
 * bring a file from elsewhere into the history. Undefined when it is not that file any more.
 */
export function openPlainly(path: string): { readonly descriptor: number; readonly facts: Stats } | undefined {
  const descriptor = bestEffort("it is gone, or not to be read by this user", () => openSync(path, flags))
  if (descriptor === undefined) return undefined
  const facts = fstatSync(descriptor)
  const inPlace = process.platform !== "linux" || readlinkSync(`${procSelf()}/fd/${descriptor}`) === path
  if (facts.isFile() && inPlace) return { descriptor, facts }
  closeSync(descriptor)
  return undefined
}

/** Files that are to be copied. */
export interface CopyRequest {
  readonly paths: readonly string[]
  /** Inode, size and both times of each file, as it was seen. */
  readonly seen: Float64Array
  /** Room for their contents; both threads share it. */
  readonly bytes: Uint8Array
}

/** By file, where its content begins, below zero for one that is not copied; and how long all took. */
export interface CopyAnswer {
  readonly offsets: readonly number[]
  readonly ms: number
}

/** Copies the files that are still as they were seen, as far as there is room. */
export function copyFiles({ paths, seen, bytes }: CopyRequest): CopyAnswer {
  const start = performance.now()
  let used = 0
  const offsets = paths.map((path, position) => {
    const [ino = 0, size = 0, mtimeMs = 0, ctimeMs = 0] = seen.subarray(position * 4)
    const into = bytes.subarray(used, used + size)
    if (into.length < size || !copyFile(path, { ino, size, mtimeMs, ctimeMs }, into)) return -1
    used += size
    return used - size
  })
  return { offsets, ms: performance.now() - start }
}

function copyFile(path: string, seen: Identity, into: Uint8Array): boolean {
  const file = openPlainly(path)
  if (!file) return false
  try {
    if (!sameContent(seen, file.facts) || readSync(file.descriptor, into, 0, into.length, 0) < into.length) return false
    // Written to while it was copied: the copy may mix two states.
    return sameContent(seen, fstatSync(file.descriptor))
  } finally {
    closeSync(file.descriptor)
  }
}
