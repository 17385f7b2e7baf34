import { type CallScope, ToolError } from "@haft/contract"
import { aim, type FileSession, perform } from "../file-session.js"
import { assertRegular } from "./assert-regular.js"
import { missingPath } from "./near-names.js"

/** A directory that stays the same directory until it is closed. */
export interface OpenDirectory {
  /** Absolute, links followed. */
  readonly path: string
  /** What a child process gets as its working directory. */
  readonly cwd: string
  /** The name inside the directory, when the opened path is a file. */
  readonly single?: string
  close(): void
}

/**
 * Holds the directory that a path leads to, or the directory of the file. The grant judges what is found inside. Where
 * nothing is, a call is told near names that it may see.
 */
export async function openDirectory(session: FileSession, path: string, call?: CallScope): Promise<OpenDirectory> {
  const target = await aim(session, path, "search")
  const { walk } = target.root
  const place = await perform(target, () => walk.find(target, session.roots))
  try {
    if (!place.facts) {
      if (call) throw await missingPath(session, call, target)
      throw new ToolError("not_found", `Cannot search "${target.shown}": it does not exist`)
    }
    if (place.facts.isDirectory()) {
      const held =
        place.name === "." ? place.directory : await perform(target, () => walk.enter(place.directory, place.name))
      if (held !== place.directory) place.directory.close()
      return { path: held.path, cwd: held.self, close: () => held.close() }
    }
    assertRegular(place.facts, target)
    const { directory } = place
    return { path: directory.path, cwd: directory.self, single: place.name, close: () => directory.close() }
  } catch (error) {
    place.directory.close()
    throw error
  }
}
