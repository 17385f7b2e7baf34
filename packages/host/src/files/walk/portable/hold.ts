import { lstatSync, type Stats } from "node:fs"
import { join } from "node:path"
import { lstat } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import type { HeldDirectory } from "../walk.js"

/** Remembers the identity of a directory of which the path is known to be free of links. */
export function holdRoot(path: string): HeldDirectory {
  return heldDirectory(path, lstatSync(path))
}

/** Remembers a directory inside a held one; throws when the entry is a link or no directory. */
export function* enter(directory: HeldDirectory, name: string): Program<HeldDirectory> {
  const path = directory.entry(name)
  const facts = yield* lstat(path)
  if (facts?.isDirectory()) return heldDirectory(path, facts)
  throw Object.assign(new Error(`ENOTDIR: not a directory, open '${path}'`), { code: "ENOTDIR", syscall: "open" })
}

/**
 * A directory known by path and identity. Without descriptors for directories this detects a swap rather than
 * preventing it, which is the best that this platform offers to Node.js.
 */
export function heldDirectory(path: string, facts: Stats): HeldDirectory {
  return {
    path,
    self: path,
    entry: (name) => join(path, name),
    *isInPlace(): Program<boolean> {
      const now = yield* lstat(path)
      return now?.isDirectory() === true && now.dev === facts.dev && now.ino === facts.ino
    },
    close: () => undefined,
  }
}
