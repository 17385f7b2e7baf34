import { randomBytes } from "node:crypto"
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs"
import { rmdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { exists } from "../../files/system/look.js"
import { holdFolders } from "./held-folders.js"

/**
 * Placeholders, which are empty directories, kept ready beside the list of those in use. Making a directory costs some file systems a
 * millisecond, and a command needs two dozen; moving one in and out again costs a hundredth of that. The user of the
 * pool holds the lock of the list.
 */
export interface PlaceholderPool {
  /**
   * Puts an empty directory at each path where nothing is; gives the paths where that is impossible. A folder that was
   * exchanged for a link meanwhile is no place: nothing is made where the link points to, nor taken away there.
   */
  place(paths: readonly string[]): readonly string[]
  /** Takes the directories away that are empty; what somebody put into one meanwhile stays where it is. */
  remove(paths: readonly string[]): Promise<void>
}

/** How many are kept; as many as the largest number of places needs. */
const keptReady = 256
const readyPrefix = "ready-"

/** The pool in a folder that nobody else writes to. */
export function placeholderPool(folder: string): PlaceholderPool {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ready = () => readdirSync(folder).filter((name) => name.startsWith(readyPrefix))
  return {
    place(paths) {
      const names = ready()
      const isPlaced = (path: string): boolean => {
        // Moving would replace an empty directory, which may be the one that another process holds the name with.
        if (exists(path)) return true
        const name = names.at(-1)
        if (name === undefined || !move(join(folder, name), path)) return makeDirectory(path)
        names.pop()
        return true
      }
      const folders = holdFolders()
      try {
        return paths.filter((path) => {
          const inside = folders.within(path)
          return inside === undefined || !isPlaced(inside)
        })
      } finally {
        folders.close()
      }
    },
    async remove(paths) {
      const folders = holdFolders()
      try {
        const empty = paths.flatMap((path) => folders.within(path) ?? []).filter(isEmptyDirectory)
        const room = Math.max(0, keptReady - ready().length)
        const batch = randomBytes(9).toString("base64url")
        const left = empty.filter((path, index) => index >= room || !moveAside(path, folder, `${batch}-${index}`))
        // From another file system nothing can be moved. Not in the event loop, because some take their time for each.
        await Promise.allSettled(left.map(removeHere))
      } finally {
        folders.close()
      }
    },
  }
}

/** Moves an empty directory into the pool; false when it has to be removed where it is. */
function moveAside(path: string, folder: string, name: string): boolean {
  const aside = join(folder, `${readyPrefix}${name}`)
  if (!move(path, aside)) return false
  // Filled in the last moment: it goes back, or out of reach if the name is taken by now, and never to another workspace.
  if (!isEmptyDirectory(aside)) move(aside, exists(path) ? join(folder, `filled-${name}`) : path)
  return true
}

/** A command may have closed the folder that it is in; its owner can open that again. */
async function removeHere(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error
    const folder = dirname(path)
    chmodSync(folder, statSync(folder).mode | 0o700)
    await rmdir(path)
  }
}

function move(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

function isEmptyDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && readdirSync(path).length === 0
  } catch {
    return false
  }
}

function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EEXIST"
  }
}
