import { closeSync, constants, openSync, readlinkSync } from "node:fs"
import { basename, dirname } from "node:path"
import { O_PATH } from "../../files/walk/linux/hold.js"

/** Folders that are held open for a while: what is done in them is done there, whatever is put in their place meanwhile. */
export interface HeldFolders {
  /** Where to find what has this path; undefined when its folder is gone, or a link stands in its place or above it. */
  within(path: string): string | undefined
  close(): void
}

/** Holds each folder from the first time that it is needed. */
export function holdFolders(): HeldFolders {
  const held = new Map<string, number | undefined>()
  return {
    within(path) {
      const folder = dirname(path)
      if (!held.has(folder)) held.set(folder, hold(folder))
      const descriptor = held.get(folder)
      return descriptor === undefined ? undefined : `/proc/self/fd/${descriptor}/${basename(path)}`
    },
    close() {
      for (const descriptor of held.values()) if (descriptor !== undefined) closeSync(descriptor)
      held.clear()
    },
  }
}

function hold(folder: string): number | undefined {
  try {
    const descriptor = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === folder) return descriptor
    closeSync(descriptor)
  } catch {
    // It is gone, or was never there.
  }
  return undefined
}
