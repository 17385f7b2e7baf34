import { statSync } from "node:fs"
import { isAbsolute, normalize } from "node:path"
import { isWithin } from "../view/mount.js"

/** The folders of PATH that programs may be taken from: absolute, existing, outside every root, not writable by others. */
export function searchPath(path: string, roots: readonly string[]): readonly string[] {
  const folders = path
    .split(":")
    .filter(isAbsolute)
    .map((folder) => normalize(folder).replace(/(.)\/+$/, "$1"))
  return [...new Set(folders)].filter((folder) => !roots.some((root) => isWithin(folder, root)) && isTrusted(folder))
}

function isTrusted(folder: string): boolean {
  try {
    const facts = statSync(folder)
    return facts.isDirectory() && (facts.mode & 0o002) === 0
  } catch {
    return false
  }
}
