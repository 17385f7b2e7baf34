import { mkdirSync } from "node:fs"
import { rm, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { fileError } from "./system/errno.js"
import { openRoot } from "./walk/open-root.js"
import { liesIn } from "./walk/root-set.js"
import type { Root } from "./walk/walk.js"

/** The folders of a session outside its workspace: outputs that were too long, and scratch space. */
export interface SessionFolder {
  /** Where temporary files of the session go. */
  readonly scratchPath: string
  /** The folder for whole outputs, made on the first use. */
  output(): Root
  /** Makes and opens the folder that a path lies in, when it is one of these. */
  openFor(absolute: string): void
  /** Whether any of the folders was needed so far. */
  isOpen(): boolean
  /** The folders that are open. */
  roots(): readonly Root[]
  close(): void
}

// What the process ports keep beside outputs and scratch space.
const madeByProcesses = ["before", "home", "outside", "quarantine", "wall"]

/** Removes whole outputs and scratch space of a session that ended; links are removed, not followed. */
export async function removeSessionFolder(path: string): Promise<void> {
  for (const folder of [...Object.values(foldersIn(path)), ...madeByProcesses.map((name) => join(path, name))]) {
    await rm(folder, { recursive: true, force: true })
  }
  // Whatever else is in the session's folder belongs to somebody else and stays.
  await rmdir(path).catch(() => undefined)
}

/** Knows the folders of a session; nothing is made before it is needed. */
export function createSessionFolder(path: string): SessionFolder {
  const folders = foldersIn(path)
  const open = new Map<string, Root>()
  const openFolder = (folder: string): Root => {
    const known = open.get(folder)
    if (known) return known
    makeFolder(folder)
    const root = openRoot(folder)
    open.set(folder, root)
    return root
  }
  return {
    scratchPath: folders.scratch,
    output: () => openFolder(folders.output),
    openFor(absolute) {
      if (!liesIn(path, absolute)) return
      for (const folder of Object.values(folders)) if (liesIn(folder, absolute)) openFolder(folder)
    },
    isOpen: () => open.size > 0,
    roots: () => [...open.values()],
    close() {
      for (const root of open.values()) root.close()
      open.clear()
    },
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, "make", folder)
  }
}

function foldersIn(path: string): { readonly output: string; readonly scratch: string } {
  return { output: join(path, "out"), scratch: join(path, "scratch") }
}
