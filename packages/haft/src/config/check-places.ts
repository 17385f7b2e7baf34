import { realpathSync, type Stats, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isInside, ToolError } from "@haft/contract"
import type { Places } from "./places.js"

/**
 * Stops the start when a workspace or another user could change state or configuration.
 * A root that is wide by itself (the home directory, `/`) is guarded by the floor of the rules instead.
 */
export function checkPlaces(places: Places, roots: readonly string[]): void {
  const realHome = realPath(places.userHome)
  for (const { variable, path } of places.chosen) {
    for (const root of roots) {
      const realRoot = realPath(root)
      if (isInside(realHome, realRoot) || !isInside(realPath(path), realRoot)) continue
      throw misplaced(
        path,
        `${variable} puts it inside the root "${root}"`,
        `Set ${variable} to a place outside every root`,
      )
    }
  }
  for (const path of new Set([places.home, places.configHome])) checkFolder(path)
  for (const path of new Set([places.home, places.configHome, places.userFile])) checkWriters(path)
}

// Nothing can be made there, and trying to make a folder in /proc never ends (libuv takes "no entry" for "no parent").
const kernelFolders = ["/proc", "/sys"]

function checkFolder(path: string): void {
  const real = realPath(path)
  const kernel = kernelFolders.find((folder) => isInside(real, folder))
  if (kernel) throw misplaced(path, `"${kernel}" is an interface of the system`, "Choose a folder of your own")
  for (let folder = real; folder !== dirname(folder); folder = dirname(folder)) {
    const stats = statOf(folder)
    if (stats && !stats.isDirectory())
      throw misplaced(path, `"${folder}" is not a folder`, "Choose a folder of your own")
  }
}

/** The path with links resolved as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}

// Mode bits of others and of the group; the sticky bit keeps others from replacing what is not theirs.
const writableByOthers = 0o022
const writableByEveryone = 0o002
const sticky = 0o1000

function checkWriters(path: string): void {
  // Windows answers with made-up mode bits.
  if (process.platform === "win32") return
  const real = realPath(path)
  const own = statOf(real)
  if (own) {
    const user = process.getuid?.()
    if (own.uid !== user && own.uid !== 0)
      throw misplaced(path, "it belongs to another user", "Choose a place of your own")
    if ((own.mode & writableByOthers) !== 0) {
      throw misplaced(path, "other users may write to it", `Run: chmod ${own.isDirectory() ? "700" : "600"} ${path}`)
    }
  }
  for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
    const stats = statOf(folder)
    if (stats && (stats.mode & writableByEveryone) !== 0 && (stats.mode & sticky) === 0) {
      throw misplaced(path, `everyone may write to "${folder}" above it`, `Run: chmod o-w ${folder}`)
    }
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // Below a file there is nothing; a missing permission is reported by what is opened later.
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOTDIR" || code === "EACCES") return undefined
    throw error
  }
}

function misplaced(path: string, reason: string, hint: string): ToolError {
  return new ToolError("not_configured", `Cannot start with "${path}": ${reason}`, { hint })
}
