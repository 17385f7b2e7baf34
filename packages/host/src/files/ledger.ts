import type { Stats } from "node:fs"
import { contentHash } from "./system/content-hash.js"

/** Bytes of files that are kept so that a conflict can show what changed. */
const maxKeptBytes = 16 * 1024 * 1024
/** Larger files are remembered by hash or identity only. */
const maxKeptFileBytes = 4 * 1024 * 1024
/** Files that are remembered at all. */
const maxFiles = 50_000

/** What a session knows about the content of a file. */
interface KnownState {
  readonly identity: FileIdentity
  readonly bytes?: Uint8Array | undefined
  readonly hash?: string | undefined
}

/** A file as it is now; the hash is only asked for when it is needed. */
interface CurrentState {
  readonly identity: FileIdentity
  readonly bytes: Uint8Array | undefined
  hash(): string | Promise<string>
}

/** A file before and after it was moved. */
interface MovedState {
  readonly former: FileIdentity
  readonly identity: FileIdentity
  readonly hash: string
}

/** Whether a file is as the session knows it; `hash` and `former` where they are still kept. */
export type Comparison =
  | { readonly state: "unknown" }
  | { readonly state: "same"; readonly hash?: string }
  | { readonly state: "changed"; readonly former?: Uint8Array }

/** What was last read or written, file by file, in one session. */
export class Ledger {
  private readonly states = new Map<string, KnownState>()
  /** The paths whose bytes are kept, least recently used first. */
  private readonly kept = new Map<string, number>()
  private keptBytes = 0

  /** Remembers the content of a file; without bytes and hash only that this state of the file was seen. */
  remember(path: string, { identity, bytes, hash }: KnownState): void {
    this.forget(path)
    const isKept = bytes !== undefined && bytes.length <= maxKeptFileBytes
    this.put(path, { identity, bytes: isKept ? bytes : undefined, hash })
    if (!isKept) return
    this.kept.set(path, bytes.length)
    this.keptBytes += bytes.length
    for (const oldest of this.kept.keys()) {
      if (this.keptBytes <= maxKeptBytes) break
      this.reduceToHash(oldest)
    }
  }

  forget(path: string): void {
    this.states.delete(path)
    this.keptBytes -= this.kept.get(path) ?? 0
    this.kept.delete(path)
  }

  /** Takes what is known about a file along to its new place. */
  carry(from: string, to: string, { former, identity, hash }: MovedState): void {
    const known = this.states.get(from)
    this.forget(from)
    this.forget(to)
    if (!known) return
    const knownHash = known.hash ?? (known.bytes && contentHash(known.bytes))
    const isSame = knownHash === undefined ? sameIdentity(known.identity, former) : knownHash === hash
    this.remember(to, isSame ? { ...known, identity, hash } : known)
  }

  /** Compares a file with what is remembered; a new time stamp on the same content is no change. */
  async compare(path: string, now: CurrentState): Promise<Comparison> {
    const known = this.states.get(path)
    if (!known) return { state: "unknown" }
    if (known.bytes && now.bytes) {
      if (Buffer.compare(known.bytes, now.bytes) === 0)
        return { state: "same", ...(known.hash && { hash: known.hash }) }
      return { state: "changed", former: known.bytes }
    }
    const isSame = sameIdentity(known.identity, now.identity)
    if (!known.hash) return { state: isSame ? "same" : "changed" }
    // Nothing is hashed for a large file that nobody has touched.
    if (isSame && !now.bytes) return { state: "same", hash: known.hash }
    return known.hash === (await now.hash()) ? { state: "same", hash: known.hash } : { state: "changed" }
  }

  private put(path: string, state: KnownState): void {
    this.states.set(path, state)
    if (this.states.size > maxFiles) this.forget(this.states.keys().next().value!)
  }

  private reduceToHash(path: string): void {
    const { identity, bytes, hash } = this.states.get(path)!
    this.states.set(path, { identity, hash: hash ?? contentHash(bytes!) })
    this.keptBytes -= this.kept.get(path)!
    this.kept.delete(path)
  }
}

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

/** The identity as a text, in the place of the hash of a file that is not read. */
export function identityText(facts: Stats): string {
  return JSON.stringify(identityOf(facts))
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
