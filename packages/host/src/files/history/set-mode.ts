import { closeQuietly, fchmod } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { At } from "./at-place.js"

/** Sets the mode of the file or folder at a place, never of something that took its place. */
export function* setMode({ target, place }: At, mode: number): Program<void> {
  const pinned = yield* place.root.walk.pinEntry(place.directory, place.name)
  if (!pinned) throw unsteadyPath(target)
  try {
    const descriptor = yield* pinned.openForReading()
    try {
      yield* fchmod(descriptor, mode)
    } finally {
      closeQuietly(descriptor)
    }
  } finally {
    pinned.close()
  }
}
