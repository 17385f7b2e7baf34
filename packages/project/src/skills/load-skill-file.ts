import { basename, dirname, isAbsolute, resolve } from "node:path"
import { type ParsedSkill, parseSkill } from "./parse-skill.js"
import { readSkillFile } from "./read-skill-file.js"
import type { SkillPlace } from "./skill-place.js"

/** Reads one SKILL.md; a file that cannot be read is a skill with one fatal problem. */
export async function loadSkillFile(path: string): Promise<ParsedSkill> {
  const folder = dirname(path)
  const place: SkillPlace = {
    folderName: basename(folder),
    async readFile(name) {
      const file = resolve(folder, name)
      return readSkillFile(file, folder).catch((error: Error) => {
        throw new Error(`"${name}" cannot be used: ${error.message}`)
      })
    },
    resolve: (name) => (isAbsolute(name) ? name : resolve(folder, name)),
  }
  try {
    return await parseSkill(await readSkillFile(path, folder), place)
  } catch (error) {
    const problem = { line: 1, text: (error as Error).message, fatal: true }
    return { entry: undefined, tools: [], hidden: false, body: "", problems: [problem] }
  }
}
