import { lstat, readdir, unlink } from "node:fs/promises"
import { join } from "node:path"
import { ignoreMissing } from "@haft/contract"
import { isMissing } from "../../files/system/errno.js"
import { removeOwnFolder } from "../../files/tree/remove-tree.js"
import { shardPattern } from "./history-object.js"
import { keptTrees } from "./kept-tree.js"

/** How much former content may stay. */
export interface PruneOptions {
  readonly historyFolder: string
  readonly maxBytes: number
  readonly maxAgeMs: number
}

interface KeptObject {
  readonly path: string
  readonly size: number
  readonly keptAtMs: number
  readonly remove?: (path: string) => Promise<void>
}

/** Removes former content that is too old, then the oldest until the rest fits; says how many objects and bytes left. */
export async function pruneHistory(options: PruneOptions): Promise<{ removed: number; bytes: number }> {
  const objects = await listObjects(options.historyFolder)
  objects.sort((one, other) => one.keptAtMs - other.keptAtMs)
  const oldest = Date.now() - options.maxAgeMs
  let total = objects.reduce((sum, { size }) => sum + size, 0)
  let removed = 0
  let bytes = 0
  for (const { path, size, keptAtMs, remove = unlink } of objects) {
    if (keptAtMs >= oldest && total <= options.maxBytes) break
    await remove(path)
    total -= size
    bytes += size
    removed++
  }
  return { removed, bytes }
}

async function listObjects(historyFolder: string): Promise<KeptObject[]> {
  const objects: KeptObject[] = []
  for (const shard of await namesIn(historyFolder)) {
    if (!shardPattern.test(shard)) continue
    for (const name of await namesIn(join(historyFolder, shard))) {
      const path = join(historyFolder, shard, name)
      const facts = await ignoreMissing(lstat(path))
      // The status change is the moment of keeping: the modification time is that of the former file.
      if (facts?.isFile()) objects.push({ path, size: facts.size, keptAtMs: facts.ctimeMs })
    }
  }
  for (const { path, size } of await keptTrees(historyFolder)) {
    const facts = await ignoreMissing(lstat(path))
    if (facts) objects.push({ path, size, keptAtMs: facts.ctimeMs, remove: removeOwnFolder })
  }
  return objects
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
