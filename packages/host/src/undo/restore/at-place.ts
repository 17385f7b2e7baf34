import type { CallScope } from "@haft/contract"
import { aim, type FileSession, perform } from "../../files/file-session.js"
import { chmod, closeQuietly, fchmod } from "../../files/system/file-call.js"
import type { Program } from "../../files/system/program.js"
import { unsteadyPath } from "../../files/walk/assert-same-root.js"
import { findEntry } from "../../files/walk/find-entry.js"
import type { Place, Target } from "../../files/walk/walk.js"
import { withWriteLocks } from "../../files/write/with-write-locks.js"

/** A path that is being undone, found and held. */
export interface At {
  readonly target: Target
  readonly place: Place
}

/** Holds the places of some paths, a link itself and not what it points to, and does work there while nobody else writes to them. */
export async function atPlaces<Result>(
  session: FileSession,
  paths: readonly string[],
  work: (places: readonly At[]) => Promise<Result>,
): Promise<Result> {
  const targets = await Promise.all(paths.map((path) => aim(session, path, "undo")))
  const locked = { historyFolder: session.historyFolder, paths, target: targets[0]!, call: lasting }
  return withWriteLocks(locked, async () => {
    const held: At[] = []
    try {
      for (const target of targets) {
        held.push({ target, place: await perform(target, () => findEntry(target, session.roots)) })
      }
      return await work(held)
    } finally {
      for (const { place } of held) place.directory.close()
    }
  })
}

/** An undo is not cancelled half-way. */
export const lasting: Pick<CallScope, "signal"> = { signal: new AbortController().signal }

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
