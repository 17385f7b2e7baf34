import { join, relative, sep } from "node:path"
import { errnoOf } from "../system/errno.js"
import { mkdir, rmdir } from "../system/file-call.js"
import { attempt, type Program } from "../system/program.js"
import type { HeldDirectory, Place } from "../walk/walk.js"

/** A name in a directory that is held; the directory may be that of the place, or one that was made below it. */
export interface Seat {
  readonly directory: HeldDirectory
  readonly name: string
}

/** Makes the directories that are missing, each inside the held one before, and adds their paths to `created`. */
export function* makeParents(place: Place, created: string[]): Program<Seat> {
  let directory = place.directory
  const parts = [place.name, ...place.rest]
  try {
    for (const name of parts.slice(0, -1)) {
      try {
        yield* mkdir(directory.entry(name), 0o777)
        created.push(join(directory.path, name))
      } catch (error) {
        if (errnoOf(error) !== "EEXIST") throw error
      }
      const next = yield* place.root.walk.enter(directory, name)
      if (directory !== place.directory) directory.close()
      directory = next
    }
  } catch (error) {
    if (directory !== place.directory) directory.close()
    throw error
  }
  return { directory, name: parts.at(-1)! }
}

/** Takes back what `makeParents` made, innermost first; a directory that somebody uses by now stays. */
export function* removeParents(place: Place, created: readonly string[]): Program<void> {
  const innermost = created.at(-1)
  if (innermost === undefined) return
  const names = relative(place.directory.path, innermost).split(sep)
  yield* attempt("the failure of the work is what the caller must hear about", removeBelow(place.directory, names))

  function* removeBelow(directory: HeldDirectory, [name, ...rest]: readonly string[]): Program<void> {
    if (name === undefined) return
    const next = yield* place.root.walk.enter(directory, name)
    try {
      yield* removeBelow(next, rest)
    } finally {
      next.close()
    }
    if (created.includes(join(directory.path, name))) yield* rmdir(directory.entry(name))
  }
}
