import type { Stats } from "node:fs"

/** What tells one state of one file from any other, as far as a file system says without reading it. */
export interface FileIdentity {
  readonly device: number
  readonly inode: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
}

/** The identity of a file in the state that these facts describe. */
export function identityOf(facts: Stats): FileIdentity {
  return {
    device: facts.dev,
    inode: facts.ino,
    size: facts.size,
    mtimeMs: facts.mtimeMs,
    ctimeMs: facts.ctimeMs,
  }
}

/** Whether two identities are those of the same file in the same state. */
export function sameIdentity(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.inode === other.inode &&
    one.device === other.device &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  )
}
