import { rmdirSync } from "node:fs"
import { aim, type FileSession, perform } from "../file-session.js"

/** Removes directories innermost first and says which; one that holds anything, or is a link by now, stays. */
export async function removeEmpty(session: FileSession, directories: readonly string[]): Promise<string[]> {
  const removed: string[] = []
  for (const path of [...directories].reverse()) {
    const target = await aim(session, path, "remove")
    const place = await perform(target, () => target.root.walk.find(target, session.roots))
    try {
      if (!place.facts) continue
      if (place.path !== path || place.name === ".") break
      rmdirSync(place.directory.entry(place.name))
      removed.push(path)
    } catch {
      break
    } finally {
      place.directory.close()
    }
  }
  return removed
}
