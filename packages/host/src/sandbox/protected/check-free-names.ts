import {
  cpSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FreeName } from "./plan-holds.js"

/** Moves protected files that appeared under names that no mount could hold out of the workspace. */
export function checkFreeNames(
  names: readonly FreeName[],
  quarantine: string,
): readonly { readonly path: string; readonly movedTo: string }[] {
  return names
    .filter(isInPlace)
    .filter(hasChanged)
    .map((name) => {
      mkdirSync(quarantine, { recursive: true, mode: 0o700 })
      const movedTo = join(
        quarantine,
        `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${basename(name.path)}`,
      )
      move(name.path, movedTo)
      if (name.link !== undefined) symlinkSync(name.link, name.path)
      return { path: name.path, movedTo }
    })
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
    cpSync(from, to, { recursive: true, dereference: false, verbatimSymlinks: true })
    rmSync(from, { recursive: true, force: true })
  }
}
