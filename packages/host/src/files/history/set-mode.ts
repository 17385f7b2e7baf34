import { chmod, closeQuietly, fchmod } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { At } from "./at-place.js"

/** Sets the mode of the file or folder at a place, never of something that took its place. */
export function* setMode({ target, place }: At, mode: number): Program<void> {
  const pinned = yield* place.root.walk.pinEntry(place.directory, place.name)
  if (!pinned) throw unsteadyPath(target)
  try {
    // What is held by itself need not be opened, which its mode may forbid.
    if (pinned.self !== place.directory.entry(place.name)) return yield* chmod(pinned.self, mode)
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
