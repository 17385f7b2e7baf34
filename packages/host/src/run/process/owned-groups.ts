import { readdirSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { isRunning, processToken } from "./process-token.js"

/** How the names of all control groups of this process begin: they say whose they are. */
export const ownGroupPrefix = `haft-${processToken()}-`

/** Removes groups of processes that ended without cleaning up; one with a process in it cannot be removed. */
export function sweepGroups(parent: string): void {
  for (const entry of readdirSync(parent)) {
    const owner = /^haft-(\d+-\d+)-/.exec(entry)?.[1]
    if (owner !== undefined && !isRunning(owner)) removeGroup(join(parent, entry))
  }
}

/** Removes an empty group; false when it cannot be removed now. */
export function removeGroup(group: string): boolean {
  try {
    rmdirSync(group)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}
