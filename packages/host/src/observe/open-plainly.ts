import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from "node:fs"

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** A regular file that was opened at exactly its own path. */
export interface PlainFile {
  readonly descriptor: number
  readonly facts: Stats
}

/**
 * Opens a regular file, with no link in any part of its path: a folder that was exchanged for a link meanwhile must not
 * bring a file from elsewhere into the history. Undefined when it is not that file any more.
 */
export function openPlainly(path: string): PlainFile | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, flags)
    const facts = fstatSync(descriptor)
    const inPlace = process.platform !== "linux" || readlinkSync(`/proc/self/fd/${descriptor}`) === path
    if (facts.isFile() && inPlace) return { descriptor, facts }
  } catch {
    // Gone, or not to be read by this user.
  }
  if (descriptor !== undefined) closeSync(descriptor)
  return undefined
}
