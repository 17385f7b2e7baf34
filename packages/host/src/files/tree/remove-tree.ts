import { chmod, lstat, readdir, rmdir, unlink } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { ToolError } from "@haft/contract"
import { isMissing } from "../system/errno.js"
import { drive } from "../system/program.js"
import { openRoot } from "../walk/open-root.js"
import type { Walk } from "../walk/walk.js"
import type { Seat } from "../write/make-parents.js"

/** Removes a file, a link or a folder with all that is in it, through held directories and never through a link. */
export async function removeTree({ directory, name }: Seat, walk: Walk): Promise<void> {
  const path = directory.entry(name)
  const facts = await lstat(path)
  if (!facts.isDirectory()) return unlink(path)
  const folder = await drive(walk.enter(directory, name), true)
  try {
    // A folder of our own that nothing may be written in: whoever removes the folder may open it as well.
    if ((facts.mode & 0o700) !== 0o700 && facts.uid === process.getuid?.()) await chmod(folder.self, 0o700)
    for (const inside of await readdir(folder.self)) await removeTree({ directory: folder, name: inside }, walk)
  } finally {
    folder.close()
  }
  await rmdir(path)
}

/** Removes a folder of Haft itself, whatever commands made of the permissions in it; nothing happens when it is missing. */
export async function removeOwnFolder(path: string): Promise<void> {
  try {
    const above = openRoot(dirname(path))
    try {
      await removeTree({ directory: above.held, name: basename(path) }, above.walk)
    } finally {
      above.close()
    }
  } catch (error) {
    if (!isMissing(error) && !isNotFound(error)) throw error
  }
}

function isNotFound(error: unknown): boolean {
  return ToolError.is(error) && error.code === "not_found"
}
