import { type FSWatcher, lstatSync, watch } from "node:fs"
import { dirname } from "node:path"
import { holdMasks } from "../../run/long-lived/held-masks.js"
import type { PreparedSandbox } from "../sandbox.js"
import type { HeldMasks } from "./standing-masks.js"

/** A sandbox for a process that outlives its call: until it is given back, its masks are not to be lost unnoticed. */
export function withStandingMasks(
  sandbox: PreparedSandbox,
  { targets, isLost, holds }: HeldMasks,
  { roots, onLost }: { readonly roots: readonly string[]; readonly onLost: () => void },
): PreparedSandbox {
  const free = holdMasks(targets)
  const stopWatching = watchMasks({ targets, roots, isLost, onLost })
  return {
    ...sandbox,
    holds,
    release() {
      stopWatching()
      free()
      return sandbox.release()
    },
  }
}

/** What is watched, and what is called then. */
interface MaskWatchOptions {
  /** Covered files and folders. */
  readonly targets: readonly string[]
  /** Folders above these are not watched. */
  readonly roots: readonly string[]
  /** Whether one of them was replaced; asked after something happened to one. */
  readonly isLost: () => boolean
  /** Called once. */
  readonly onLost: () => void
}

// Each costs a little memory of the kernel, which all programs of a user share; what is not watched is still looked at
// by the next call.
const maxFolders = 256

/** Watches the folders that covered files are in. Does not keep Haft alive. */
export function watchMasks({ targets, roots, isLost, onLost }: MaskWatchOptions): () => void {
  const watched = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>()
  const folders = new Set(targets.flatMap((target) => foldersAbove(target, roots)))
  let stopped = false

  const stop = () => {
    stopped = true
    for (const { watcher } of watched.values()) watcher.close()
    watched.clear()
  }
  const look = () => {
    if (stopped) return
    if (isLost()) {
      stop()
      onLost()
    } else watchAll()
  }
  /** A folder that was itself replaced is watched anew. */
  const watchAll = () => {
    for (const folder of folders) {
      const inode = lstatSync(folder, { throwIfNoEntry: false })?.ino
      const known = watched.get(folder)
      if (inode === undefined || inode === known?.inode) continue
      known?.watcher.close()
      watched.delete(folder)
      if (watched.size >= maxFolders) continue
      const watcher = watchFolder(folder, look)
      if (watcher) watched.set(folder, { watcher, inode })
    }
  }
  watchAll()
  return stop

  function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
    const concerned = new Set(targets.flatMap((target) => nameBelow(folder, target) ?? []))
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || concerned.has(name)) onChange()
      })
      // A folder that goes away ends its watch with an error on some systems.
      return watcher.on("error", onChange)
    } catch {
      // No more watches are to be had.
      return undefined
    }
  }
}

function foldersAbove(target: string, roots: readonly string[]): readonly string[] {
  const root = roots.find((each) => target.startsWith(`${each}/`))
  if (root === undefined) return [dirname(target)]
  const folders: string[] = []
  for (let folder = dirname(target); folder.length >= root.length; folder = dirname(folder)) {
    folders.push(folder)
    if (folder === root) break
  }
  return folders
}

/** The entry of a folder that a path below it begins with. */
function nameBelow(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined
}
