import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FreeName } from "./plan-holds.js"

/** A protected file that appeared, and where it is now; without a place it could not be moved and is where it was made. */
export interface Quarantined {
  readonly path: string
  readonly movedTo?: string
}

/** Moves protected files that appeared under names that no mount could hold out of the workspace. Never fails. */
export function checkFreeNames(names: readonly FreeName[], quarantine: string): readonly Quarantined[] {
  return names
    .filter(isInPlace)
    .filter(hasChanged)
    .map(({ path, link }) => {
      const name = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${basename(path)}`
      const movedTo = join(quarantine, name)
      const isMoved = succeeds(() => {
        mkdirSync(quarantine, { recursive: true, mode: 0o700 })
        if (!succeeds(() => move(path, movedTo))) {
          openToOwner(path)
          move(path, movedTo)
        }
        if (link !== undefined) symlinkSync(link, path)
      })
      return { path, ...(isMoved && { movedTo }) }
    })
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** A command may close its folders, and the one that they lie in, to everybody; their owner can open them again. */
function openToOwner(path: string): void {
  const open = (folder: string) => chmodSync(folder, lstatSync(folder).mode | 0o700)
  open(dirname(path))
  for (const folder of foldersIn(path)) open(folder)
}

/** Outermost first, each to be opened before what lies in it can be listed. */
function* foldersIn(path: string): Generator<string> {
  if (!lstatSync(path).isDirectory()) return
  yield path
  for (const name of readdirSync(path)) yield* foldersIn(join(path, name))
}

/** A folder that the command could remove may be a link now; what that leads to is not the workspace's. */
function isInPlace({ path }: FreeName): boolean {
  const folder = dirname(path)
  try {
    return realpathSync(folder) === folder
  } catch {
    return false
  }
}

function hasChanged({ path, link }: FreeName): boolean {
  const facts = factsOf(path)
  if (!facts) return false
  return link === undefined || !facts.isSymbolicLink() || readlinkSync(path) !== link
}

/** Nothing is there where a part of the path is a file. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error
    // Links are copied as links: following one would carry a file of the machine into the quarantine.
    cpSync(from, to, { recursive: true, dereference: false, verbatimSymlinks: true, filter: isCopied })
    rmSync(from, { recursive: true, force: true })
  }
}

/** Sockets and the like hold nothing that could be kept. */
function isCopied(path: string): boolean {
  const facts = lstatSync(path)
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
}
