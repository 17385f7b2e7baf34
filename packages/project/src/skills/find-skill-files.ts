import { readdir, realpath } from "node:fs/promises"
import { basename, join } from "node:path"
import { bestEffort, isBelow } from "@haft/contract"
import type { SkillFolder } from "./skill-folders.js"

/** The name of the file that makes a folder a skill. */
export const skillFileName = "SKILL.md"

// A folder of skills is shallow; a link to a whole disk in it must not hold up the start.
const maxDepth = 6
const maxFolders = 2000

/** The SKILL.md files below a folder, sorted, and what could not be looked at. */
export async function findSkillFiles({ path, within }: SkillFolder): Promise<FoundFiles> {
  const real = await bestEffort("a folder that cannot be reached holds no skills", realpath(path))
  if (real === undefined) return { files: [], problems: [] }
  if (within !== undefined && !isBelow(real, await realpath(within))) {
    return { files: [], problems: [{ path, problem: "the folder leads out of the project and is not looked at" }] }
  }
  const files: string[] = []
  const problems: FoundFiles["problems"][number][] = []
  let looked = 0
  const visit = async (folder: string, depth: number): Promise<void> => {
    looked += 1
    if (looked === maxFolders) problems.push({ path, problem: `only the first ${maxFolders} folders are looked at` })
    if (looked >= maxFolders) return
    const entries =
      (await bestEffort("a folder that cannot be listed has no skills", readdir(folder, { withFileTypes: true }))) ?? []
    const names = entries.filter((entry) => entry.name === skillFileName)
    // A skill has files of its own below it, not other skills.
    if (names.length > 0 && depth > 0) return void files.push(join(folder, skillFileName))
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = join(folder, entry.name)
      if (entry.isDirectory() && depth < maxDepth) await visit(inside, depth + 1)
      if (!entry.isSymbolicLink()) continue
      const target = await bestEffort("a link that leads nowhere is no skill", realpath(inside))
      // A link to another skill of the same folder is a name that is already there.
      if (target !== undefined && !isBelow(target, real)) {
        problems.push({ path: inside, problem: `the link leads out of ${basename(path)} and is not followed` })
      }
    }
  }
  await visit(path, 0)
  return { files, problems }
}

/** What a look into a folder found. */
export interface FoundFiles {
  readonly files: readonly string[]
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
}
