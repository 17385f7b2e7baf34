import { type BigIntStats, type Dirent, lstatSync, type PathLike, readdirSync, realpathSync, type Stats } from "node:fs"

// Looks that cannot fail: what this user may not look at counts as missing.

/**
 * Whether there is an entry of this name; a link counts, wherever it leads. Where links are to be followed, `existsSync` of
 * Node answers.
 */
export function exists(path: string): boolean {
  return statsOf(path) !== undefined
}

/** What is at a path, a link itself and not what it points to. */
export function statsOf(path: PathLike): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The same with numbers of files that are too large for a double, and times in nanoseconds. */
export function bigStatsOf(path: PathLike): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true })
  } catch {
    return undefined
  }
}

export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Links followed; a path that cannot be resolved stays as it is. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Which file it is: numbers of files are given again, times of birth are not. Undefined where nothing can be seen. */
export function fileStamp(path: string): string | undefined {
  const facts = bigStatsOf(path)
  return facts && `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`
}

// Of the process, as the link is.
let ownProcess: string | undefined

/** Where the link /proc/self leads: to follow it takes time, more on two threads (benchmark: workspace-size, first write). */
export function procSelf(): string {
  ownProcess ??= realPath("/proc/self")
  return ownProcess
}
