import { lstatSync, unlinkSync } from "node:fs"
import { readdir } from "node:fs/promises"
import type { HeldDirectory } from "../walk/walk.js"
import { tempPattern } from "./temp-file.js"

/** A temporary file lives for milliseconds; one that is this old was left behind by a killed process. */
const leftBehindMs = 60_000
const maxRemembered = 1000

// Of the process: what matters is how often the disk is looked at, whichever session writes.
const sweptAt = new Map<string, number>()

/** Removes temporary files that killed processes left in a directory; looks at most once a minute. */
export async function sweepTemps(directory: HeldDirectory): Promise<void> {
  const now = Date.now()
  if (now - (sweptAt.get(directory.path) ?? 0) < leftBehindMs) return
  if (sweptAt.size >= maxRemembered) sweptAt.clear()
  sweptAt.set(directory.path, now)
  try {
    const names = await readdir(directory.self)
    for (const name of names) if (tempPattern.test(name)) removeWhenOld(directory.entry(name), now)
  } catch {
    // Tidying is a courtesy: the write itself has succeeded.
  }
}

function removeWhenOld(path: string, now: number): void {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts?.isFile() && now - facts.mtimeMs > leftBehindMs) unlinkSync(path)
}
