import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { filesRefused, type GuestFile } from "../job/check-files.js"

// The wall's own, or writable, whatever the image has there.
const ownFolders = ["proc", "sys", "dev", "run", "tmp", "work", "home", "lost+found"]
const writableTrees = /^(home|run|tmp|var\/tmp|work)\//

/** The entries at the top of an image that a command sees read-only. */
export async function readOnlyEntries(root: string): Promise<readonly string[]> {
  return (await readdir(root)).filter((name) => !ownFolders.includes(name)).sort()
}

/** Absolute paths of the folders that are memory for a command over a read-only image: its own, and those that its files need. */
export async function writablePlaces(root: string, files: readonly GuestFile[]): Promise<readonly string[]> {
  const inVar = (await isFolder(join(root, "var/tmp"))) ? ["/var/tmp"] : []
  return ["/tmp", "/run", "/work", "/home", ...inVar, ...newFolders(files, await readOnlyEntries(root))]
}

/** Folders at the top that only the files of this job need; a file in a folder of the image has no place. */
function newFolders(files: readonly GuestFile[], entries: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const { path } of files) {
    if (writableTrees.test(path)) continue
    const [top, ...rest] = path.split("/") as [string, ...string[]]
    if (rest.length === 0) throw filesRefused(`/${path}`, "the top folder is read-only at this isolation")
    if (entries.includes(top)) throw filesRefused(`/${path}`, `"/${top}" of the image is read-only at this isolation`)
    names.add(top)
  }
  return [...names].sort().map((name) => `/${name}`)
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}
