import { randomBytes } from "node:crypto"
import { chmod, lstat, readdir, rename, rmdir, stat, unlink } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { ToolError } from "@haft/contract"
import { isMissing } from "../system/errno.js"
import { drive } from "../system/program.js"
import { openRoot } from "../walk/open-root.js"
import type { HeldDirectory, Walk } from "../walk/walk.js"
import type { Seat } from "../write/make-parents.js"

// Each level holds a descriptor while what is below it is removed.
const maxDepth = 128

/** Removes a file, a link or a folder with all that is in it, through held directories and never through a link. */
export async function removeTree({ directory, name }: Seat, walk: Walk): Promise<void> {
  const path = directory.entry(name)
  if (!(await lstat(path)).isDirectory()) return unlink(path)
  const top = await open(walk, directory, name)
  try {
    // What is too deep is lifted up here, so that one round may not be enough.
    do await emptyFolder(top, { walk, top, depth: 1 })
    while ((await readdir(top.self)).length > 0)
  } finally {
    top.close()
  }
  await rmdir(path)
}

interface Level {
  readonly walk: Walk
  readonly top: HeldDirectory
  readonly depth: number
}

async function emptyFolder(folder: HeldDirectory, { walk, top, depth }: Level): Promise<void> {
  for (const entry of await readdir(folder.self, { withFileTypes: true })) {
    const path = folder.entry(entry.name)
    // Only where the file system does not tell what an entry is, another look is needed.
    const isFolder = entry.isDirectory() || (!entry.isFile() && (await lstat(path)).isDirectory())
    if (!isFolder) {
      await unlink(path)
      continue
    }
    const inside = await open(walk, folder, entry.name)
    try {
      if (depth < maxDepth) await emptyFolder(inside, { walk, top, depth: depth + 1 })
    } finally {
      inside.close()
    }
    if (depth < maxDepth) await rmdir(path)
    else await rename(path, top.entry(randomBytes(8).toString("hex")))
  }
}

/** Enters a folder; one of our own without write permission is made writable: who may remove it may do that as well. */
async function open(walk: Walk, directory: HeldDirectory, name: string): Promise<HeldDirectory> {
  const folder = await drive(walk.enter(directory, name), true)
  try {
    const { mode, uid } = await stat(folder.self)
    if ((mode & 0o700) !== 0o700 && uid === process.getuid?.()) await chmod(folder.self, 0o700)
    return folder
  } catch (error) {
    folder.close()
    throw error
  }
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
