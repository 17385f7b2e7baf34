import { mkdtempSync, readdirSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { systemFolders } from "../environment/environment.js"

/** Makes a folder with a link to every program of the system but these: as a PATH it is a machine without them. */
export function programsWithout(...left: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "haft-path-"))
  const made = new Set(left)
  for (const place of systemFolders) {
    for (const name of readdirSync(place)) {
      if (!made.has(name)) symlinkSync(join(place, name), join(folder, name))
      made.add(name)
    }
  }
  return folder
}
