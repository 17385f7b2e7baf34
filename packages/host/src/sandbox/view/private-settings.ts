import { lstatSync, readdirSync, type Stats } from "node:fs"
import { join } from "node:path"
import type { Mount } from "./mount.js"

/**
 * Covers what user 0 owns below /etc and others may not read. Without capabilities user 0 is an ordinary user, but one
 * that owns these files; files of others are closed to it anyway.
 */
export function privateSettings(folder: string = "/etc"): readonly Mount[] {
  const found: Mount[] = []
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const name of namesIn(path)) {
      const entry = join(path, name)
      const facts = lstatSync(entry, { throwIfNoEntry: false })
      if (!facts || facts.isSymbolicLink()) continue
      const what = facts.isDirectory() ? "directory" : "file"
      if (isOpenToOthers(facts, what)) {
        if (what === "directory") pending.push(entry)
      } else if (isOpenToRoot(facts) && (what === "directory" || facts.size > 0)) {
        found.push({ kind: "hide", target: entry, what })
      }
    }
  }
  return found
}

/** By its owner or its group; an empty file keeps no secret. */
function isOpenToRoot({ uid, gid, mode }: Stats): boolean {
  return uid === 0 || (gid === 0 && (mode & 0o040) !== 0)
}

function isOpenToOthers({ mode }: Stats, what: "file" | "directory"): boolean {
  const needed = what === "directory" ? 0o005 : 0o004
  return (mode & needed) === needed
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
