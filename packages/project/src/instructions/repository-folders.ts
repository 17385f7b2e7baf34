import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** A folder and those above it up to the root of its repository; the folder alone where there is none. */
export async function repositoryFolders(folder: string, userHome: string): Promise<readonly string[]> {
  const folders: string[] = []
  for (let place = folder; ; place = dirname(place)) {
    // The home of the user is not a project, even if somebody keeps it in a repository.
    if (place === userHome) return [folder]
    folders.push(place)
    if (existsSync(join(place, ".git"))) return folders
    if (place === dirname(place)) return [folder]
  }
}
