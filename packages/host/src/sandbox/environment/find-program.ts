import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { isWithin } from "../view/mount.js"
import { homeOfProgram } from "./home-of-program.js"
import { systemFolders } from "./search-path.js"

/** The absolute path of a program in these folders, outside every root; undefined when there is none. */
export function findProgram(
  name: string,
  folders: readonly string[],
  roots: readonly string[] = [],
): string | undefined {
  for (const folder of folders) {
    const path = join(folder, name)
    if (!isExecutable(path)) continue
    // A link in a trusted folder may still lead into a workspace.
    const real = realpathSync(path)
    if (!roots.some((root) => isWithin(real, root))) return homeOfProgram(path)
  }
  return undefined
}

/** The same for a program that helps another one: also where the system keeps those that are on nobody's PATH. */
export function findHelper(name: string, folders: readonly string[], roots: readonly string[]): string | undefined {
  return findProgram(name, [...folders, ...systemFolders], roots)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
