import type { CallScope } from "@haft/contract"
import { aim, type FileSession, perform } from "../file-session.js"
import { findEntry } from "../walk/find-entry.js"
import type { Place, Target } from "../walk/walk.js"
import { withWriteLocks } from "../write/with-write-locks.js"

/** A path that is being undone, found and held. */
export interface At {
  readonly target: Target
  readonly place: Place
}

/** Holds the places of some paths, a link itself and not what it leads to, and does work there while nobody else writes to them. */
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
