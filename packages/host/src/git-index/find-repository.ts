import { sep } from "node:path"
import type { Repository } from "@haft/contract"
import { findIndex } from "./find-index.js"
import { readIndexNames } from "./read-index-names.js"

/** The repository that a folder lies in, with the files of its index; undefined outside of any. */
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
