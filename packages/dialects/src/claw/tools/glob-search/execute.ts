import { bestEffort, type Execute, type FileReader } from "@haft/contract"
import { searchTimeoutMs, skippedField } from "@haft/tools/search/shared.js"
import { absolutePaths } from "../../../shared/absolute-paths.js"
import type { manifest } from "./index.js"

/** Finds all files that match, up to a bound, and puts the newest first; what was changed at the same time is sorted by path. */
export const execute: Execute<typeof manifest> = async ({ pattern, path }, { search, files, limit }) => {
  const found = await search.glob({
    pattern,
    ...(path !== undefined && { path }),
    maxPaths: mostPaths,
    skipFolders: skippedFolders,
    timeoutMs: searchTimeoutMs,
  })
  const absolute = await absolutePaths(files)
  const newest = (await changeTimes(found.paths.map(absolute), files)).sort(newestFirst)
  return {
    paths: newest.slice(0, 10 * limit).map((file) => file.path),
    complete: found.complete && newest.length <= 10 * limit,
    ...skippedField(found.skipped),
    ...(found.timedOut && { timed_out: true as const }),
  }
}

// Looking at the time of each file has its price; what is beyond is in `complete`.
const mostPaths = 20_000
const atATime = 32
/** What is built, installed or measured: it changes often and is seldom looked for. */
const skippedFolders = [".git", "node_modules", ".build", "target", "dist", "coverage"]

interface DatedFile {
  readonly path: string
  readonly mtimeMs: number
}

/** A file that went away in the meantime is left out. */
async function changeTimes(paths: readonly string[], files: FileReader): Promise<DatedFile[]> {
  const dated: DatedFile[] = []
  let next = 0
  const look = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const facts = await bestEffort("what has gone meanwhile is left out", files.stat(path))
      if (facts !== undefined) dated.push({ path, mtimeMs: facts.mtimeMs })
    }
  }
  await Promise.all(Array.from({ length: atATime }, look))
  return dated
}

function newestFirst(a: DatedFile, b: DatedFile): number {
  if (a.mtimeMs !== b.mtimeMs) return b.mtimeMs - a.mtimeMs
  return a.path < b.path ? -1 : 1
}
