import { type BigIntStats, lstatSync, readFileSync, statSync } from "node:fs"
import type { Mount } from "../view/mount.js"

/**
 * Which files and folders of the host a view is made of at this moment, and what is mounted on the host. A wall that was
 * built when the stamp was the same shows and covers what one that is built now would: the kernel ties a mount to the
 * file that it lies on, not to the name.
 */
export function stampView(mounts: readonly Mount[], directory: string): string {
  const paths = new Set([directory])
  for (const mount of mounts) {
    paths.add(mount.target)
    if ("source" in mount) paths.add(mount.source)
  }
  return [...[...paths].map(stampOf), readFileSync("/proc/self/mountinfo", "latin1")].join("\n")
}

function stampOf(path: string): string {
  const facts = factsOf(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  if (!facts) return "none"
  if (!facts.isSymbolicLink()) return inWords(facts)
  const end = factsOf(() => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return `${inWords(facts)} ${end ? inWords(end) : "none"}`
}

/**
 * Numbers of files are given again, times of birth are not. A file can also go and come back as itself under another
 * hard link, and is without its cover then: that changes its other time. A folder has no second link, and this time of
 * it changes with every entry.
 */
function inWords(facts: BigIntStats): string {
  const which = `${facts.dev}:${facts.ino}:${facts.birthtimeNs}:${facts.mode}`
  return facts.isDirectory() ? which : `${which}:${facts.ctimeNs}`
}

/** What this user cannot look at counts as missing. */
function factsOf(look: () => BigIntStats | undefined): BigIntStats | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
