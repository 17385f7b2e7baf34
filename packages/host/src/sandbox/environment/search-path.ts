import { statSync } from "node:fs"
import { isAbsolute, normalize } from "node:path"
import { isInside } from "@haft/contract"

/** The folders of PATH that programs may be taken from: absolute, existing, outside every root, not writable by others. */
export function searchPath(path: string, roots: readonly string[]): readonly string[] {
  const folders = path
    .split(":")
    .filter(isAbsolute)
    .map((folder) => normalize(folder).replace(/(.)\/+$/, "$1"))
  return [...new Set(folders)].filter((folder) => !roots.some((root) => isInside(folder, root)) && isTrusted(folder))
}

/** The folders among these that a command sees; where it sees none of them, those of the system: no folder means the current one. */
export function shownFolders(folders: readonly string[], isVisible: (folder: string) => boolean): readonly string[] {
  const shown = folders.filter(isVisible)
  return shown.length > 0 ? shown : ["/usr/local/bin", ...systemFolders].filter(isVisible)
}

/** Where every system keeps its own programs, also those that are on nobody's PATH. */
export const systemFolders: readonly string[] = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

function isTrusted(folder: string): boolean {
  try {
    const facts = statSync(folder)
    return facts.isDirectory() && (facts.mode & 0o002) === 0
  } catch {
    return false
  }
}
