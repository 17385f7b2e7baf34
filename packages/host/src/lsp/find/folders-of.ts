import { dirname } from "node:path"
import { liesIn } from "../../files/walk/root-set.js"

/** The folders from that of a file up to its root, nearest first; empty when it lies outside. */
export function foldersOf(path: string, root: string): readonly string[] {
  const folders: string[] = []
  for (let folder = dirname(path); liesIn(root, folder); folder = dirname(folder)) {
    folders.push(folder)
    if (folder === root || folder === dirname(folder)) break
  }
  return folders
}

/** The innermost root that a path lies in; undefined outside all. */
export function rootOf(path: string, roots: readonly string[]): string | undefined {
  return roots.filter((root) => liesIn(root, path)).sort((a, b) => b.length - a.length)[0]
}
