import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { sep } from "node:path"
import { bestEffort, type Repository } from "@haft/contract"
import { findIndex, type IndexPlace } from "./find-index.js"
import { type IndexNames, parseIndex } from "./parse-index.js"

/** The repository that a folder is in, with the files of its index; undefined outside of any. */
export function findRepository(folder: string): Repository | undefined {
  const place = findIndex(folder)
  if (!place) return undefined
  const names = readIndexNames(place)
  return { top: place.workTree, tracked: names?.complete ? { paths } : undefined }

  function* paths(): Generator<string> {
    const { bytes, starts, ends } = names!
    for (const [index, start] of starts.entries()) {
      yield place!.workTree + sep + bytes.toString("utf8", start, ends[index])
    }
  }
}

const maxCached = 8

interface Cached {
  readonly mtimeMs: number
  readonly size: number
  readonly inode: number
  readonly names: IndexNames | undefined
}

// Of the process: an index belongs to a repository, whichever session asks.
const cache = new Map<string, Cached>()

/** The names in an index, read again when the file has changed; undefined when it is missing or damaged. */
function readIndexNames({ indexFile, hashBytes }: IndexPlace): IndexNames | undefined {
  const facts = statSync(indexFile, { throwIfNoEntry: false })
  if (!facts?.isFile()) return undefined
  const { mtimeMs, size, ino: inode } = facts
  const known = cache.get(indexFile)
  if (known && known.mtimeMs === mtimeMs && known.size === size && known.inode === inode) return known.names
  const names = readNames(indexFile, hashBytes)
  cache.delete(indexFile)
  cache.set(indexFile, { mtimeMs, size, inode, names })
  if (cache.size > maxCached) cache.delete(cache.keys().next().value!)
  return names
}

function readNames(indexFile: string, hashBytes: 20 | 32): IndexNames | undefined {
  return bestEffort("a file that cannot be shown to be tracked counts as untracked", () => {
    const bytes = readFileSync(indexFile)
    return isWhole(bytes, hashBytes) ? parseIndex(bytes, hashBytes) : undefined
  })
}

/** The index ends with a hash of the rest; git may leave it zero (index.skipHash). */
function isWhole(bytes: Buffer, hashBytes: 20 | 32): boolean {
  const body = bytes.subarray(0, -hashBytes)
  const checksum = bytes.subarray(-hashBytes)
  if (checksum.every((byte) => byte === 0)) return true
  return createHash(hashBytes === 20 ? "sha1" : "sha256")
    .update(body)
    .digest()
    .equals(checksum)
}
