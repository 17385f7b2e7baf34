import { closeSync, constants, openSync, readlinkSync, realpathSync } from "node:fs"
import { bestEffort } from "@haft/contract"
import { O_PATH } from "../../files/walk/linux/hold.js"
import type { Path } from "./find-protected.js"

/** Folders that are held open for a while: what is done in them is done there, whatever is put in their place meanwhile. */
export interface HeldFolders {
  /** Where to find what has this path; undefined when its folder is gone, or a link is in its place or above it. */
  within<P extends Path>(path: P): P | undefined
  close(): void
}

/** Holds each folder from the first time that it is needed. */
export function holdFolders(): HeldFolders {
  const held = new Map<string, number | undefined>()
  return {
    within<P extends Path>(path: P) {
      const bytes = Buffer.from(path)
      const cut = bytes.lastIndexOf(slash)
      const folder = bytes.subarray(0, Math.max(cut, 1))
      if (process.platform !== "linux") return isPlain(folder) ? path : undefined
      const key = folder.toString("latin1")
      if (!held.has(key)) held.set(key, hold(folder))
      const descriptor = held.get(key)
      if (descriptor === undefined) return undefined
      const inside = Buffer.concat([Buffer.from(`/proc/self/fd/${descriptor}/`), bytes.subarray(cut + 1)])
      return (typeof path === "string" ? inside.toString() : inside) as P
    },
    close() {
      for (const descriptor of held.values()) if (descriptor !== undefined) closeSync(descriptor)
      held.clear()
    },
  }
}

const slash = 47

function hold(folder: Buffer): number | undefined {
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const descriptor = bestEffort("it is gone, or was never there", () => openSync(folder, flags))
  if (descriptor === undefined || readlinkSync(`/proc/self/fd/${descriptor}`, "buffer").equals(folder))
    return descriptor
  closeSync(descriptor)
  return undefined
}

/** Where folders cannot be held, at least none is a link now. */
function isPlain(folder: Buffer): boolean {
  try {
    return realpathSync(folder, "buffer").equals(folder)
  } catch {
    return false
  }
}
