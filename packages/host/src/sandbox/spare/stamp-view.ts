import { type BigIntStats, lstatSync, readFileSync, statSync } from "node:fs"
import { isInside } from "@haft/contract"
import type { Mount } from "../view/mount.js"

/**
 * Which files and folders of the host a view is made of at this moment, and what is mounted there. A sandbox that was
 * built when the stamp was the same shows and covers what one that is built now would: the kernel ties a mount to the
 * file that it lies on, not to the name.
 */
export function stampView(mounts: readonly Mount[], directory: string): string {
  const sources = new Set(mounts.flatMap((mount) => ("source" in mount ? [mount.source] : [])))
  const paths = new Set([directory, ...mounts.map(({ target }) => target), ...sources])
  return [...[...paths].map(stampOf), ...mountsAround([...sources])].join("\n")
}

/** What is mounted on a source, above it or below it; whatever is mounted elsewhere is not shown. */
function mountsAround(sources: readonly string[]): readonly string[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => {
      const place = withoutEscapes(line.split(" ", 5)[4] ?? "/")
      return sources.some((source) => isInside(source, place) || isInside(place, source))
    })
}

/** The kernel writes blanks and backslashes of a path as octal numbers. */
function withoutEscapes(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
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
