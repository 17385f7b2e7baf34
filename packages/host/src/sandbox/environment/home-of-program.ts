import { readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/**
 * Where a program lies that a link leads to. Links are followed as long as they keep the name, because one file may be
 * many programs and tell by its name which one it is to be.
 */
export function homeOfProgram(path: string): string {
  const name = basename(path)
  let home = path
  for (let links = 0; links < mostLinks; links += 1) {
    const next = linkAt(home)
    if (next === undefined || basename(next) !== name) break
    home = next
  }
  return join(realpathSync.native(dirname(home)), name)
}

// As many as the kernel follows.
const mostLinks = 40

function linkAt(path: string): string | undefined {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return undefined
  }
}
