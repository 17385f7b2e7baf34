import { sep } from "node:path"
import type { TrackedFiles } from "@haft/contract"
import { findIndex } from "./find-index.js"
import { readIndexNames } from "./read-index-names.js"

/** The files that git tracks, as far as the index of the repository says that the root lies in; undefined without one. */
export function trackedFiles(root: string): TrackedFiles | undefined {
  const place = findIndex(root)
  const names = place && readIndexNames(place)
  if (!place || !names) return undefined
  const { bytes, starts, ends } = names
  return {
    version: names,
    count: starts.length,
    *paths() {
      for (const [index, start] of starts.entries()) {
        yield place.workTree + sep + bytes.toString("utf8", start, ends[index])
      }
    },
  }
}
