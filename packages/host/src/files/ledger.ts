import { contentHash } from "./system/content-hash.js"
import { type FileIdentity, sameIdentity } from "./system/file-identity.js"

/** Bytes of files that are kept so that a conflict can show what changed. */
const maxKeptBytes = 16 * 1024 * 1024
/** Larger files are remembered by hash or identity only. */
const maxKeptFileBytes = 4 * 1024 * 1024
/** Files that are remembered at all. */
const maxFiles = 50_000

/** What a session knows about the content of a file. */
interface KnownState {
  readonly identity: FileIdentity
  readonly bytes?: Uint8Array
  readonly hash?: string
}

/** What was last read or written, file by file, in one session. */
export interface Ledger {
  /** Remembers the content of a file; without bytes and hash only that this state of the file was seen. */
  remember(path: string, state: KnownState): void
  forget(path: string): void
  /** Takes what is known about a file along to its new place. */
  carry(from: string, to: string, now: MovedState): void
  /** Compares a file with what is remembered; a new time stamp on the same content is no change. */
  compare(path: string, now: CurrentState): Promise<Comparison>
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

/** An empty ledger. */
export function createLedger(): Ledger {
  const states = new Map<string, KnownState>()
  // The paths whose bytes are kept, least recently used first.
  const kept = new Map<string, number>()
  let keptBytes = 0

  return {
    remember,
    forget: drop,
    carry(from, to, { former, identity, hash }) {
      const known = states.get(from)
      drop(from)
      drop(to)
      if (!known) return
      const knownHash = known.hash ?? (known.bytes && contentHash(known.bytes))
      const isSame = knownHash === undefined ? sameIdentity(known.identity, former) : knownHash === hash
      remember(to, isSame ? { ...known, identity, hash } : known)
    },
    async compare(path, now) {
      const known = states.get(path)
      if (!known) return { state: "unknown" }
      if (known.bytes && now.bytes) {
        if (Buffer.compare(known.bytes, now.bytes) === 0)
          return { state: "same", ...(known.hash && { hash: known.hash }) }
        return { state: "changed", former: known.bytes }
      }
      if (!known.hash) return sameIdentity(known.identity, now.identity) ? { state: "same" } : { state: "changed" }
      return known.hash === (await now.hash()) ? { state: "same", hash: known.hash } : { state: "changed" }
    },
  }

  function remember(path: string, { identity, bytes, hash }: KnownState): void {
    drop(path)
    if (!bytes || bytes.length > maxKeptFileBytes) return void put(path, { identity, ...(hash && { hash }) })
    put(path, { identity, bytes, ...(hash && { hash }) })
    kept.set(path, bytes.length)
    keptBytes += bytes.length
    for (const oldest of kept.keys()) {
      if (keptBytes <= maxKeptBytes) break
      reduceToHash(oldest)
    }
  }

  function put(path: string, state: KnownState): void {
    states.set(path, state)
    if (states.size > maxFiles) drop(states.keys().next().value!)
  }

  function drop(path: string): void {
    states.delete(path)
    keptBytes -= kept.get(path) ?? 0
    kept.delete(path)
  }

  function reduceToHash(path: string): void {
    const { identity, bytes, hash } = states.get(path)!
    states.set(path, { identity, hash: hash ?? contentHash(bytes!) })
    keptBytes -= kept.get(path)!
    kept.delete(path)
  }
}
