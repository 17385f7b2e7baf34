import { sep } from "node:path"
import { findIndex } from "./find-index.js"
import type { IndexNames } from "./parse-index.js"
import { readIndexNames } from "./read-index-names.js"

/**
 * Whether git tracks a file, as far as the index of the repository says that the root lies in. A repository further
 * down does not count: whoever may write there could make one to have a file taken for tracked.
 */
export function isTracked(root: string, path: string): boolean {
  const place = findIndex(root)
  if (!place || !path.startsWith(place.workTree + sep)) return false
  const names = readIndexNames(place)
  return names !== undefined && contains(names, path.slice(place.workTree.length + 1).replaceAll(sep, "/"))
}

/** The names of an index are sorted by their bytes. */
function contains({ bytes, starts, ends }: IndexNames, name: string): boolean {
  const wanted = Buffer.from(name)
  let low = 0
  let high = starts.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = bytes.compare(wanted, 0, wanted.length, starts[middle], ends[middle])
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}
