import { dirname } from "node:path"
import { nearestNames, type Skill, type SkillEntry, type Skills, ToolError } from "@haft/contract"
import { findSkillFiles } from "./find-skill-files.js"
import { readFrontMatter } from "./front-matter.js"
import { loadSkillFile } from "./load-skill-file.js"
import { readSkillFile } from "./read-skill-file.js"
import { type SkillFolder, type SkillPlaces, skillFolders } from "./skill-folders.js"

/** Where skills are looked for, and whether the project's may bring tools. */
export interface SkillsOptions extends SkillPlaces {
  /** Which project skills may bring their tools: all, none, or those that it says yes to. Their text is always listed. */
  readonly trusted: boolean | ((skill: Pick<SkillEntry, "name" | "tools">) => boolean)
}

/** Something that was found and is not used as it is. */
export interface SkillWarning {
  readonly path: string
  readonly problem: string
}

/** The skills of a session with what is wrong with some of them. */
export interface OpenSkills extends Skills {
  problems(): Promise<readonly SkillWarning[]>
}

/** The skills of a session. Files are looked for at the first use and never again: the list stays the same. */
export function openSkills(options: SkillsOptions): OpenSkills {
  let looked: Promise<Discovered> | undefined
  const discovered = () => {
    looked ??= discover(options)
    return looked
  }
  const bodies = new Map<string, Promise<Skill>>()
  return {
    list: async () => (await discovered()).skills.filter(({ hidden }) => !hidden).map(({ entry }) => entry),
    problems: async () => (await discovered()).problems,
    async load(name) {
      const entry = find((await discovered()).skills, name)
      const known = bodies.get(entry.name)
      if (known) return known
      const loading = loadBody(entry)
      bodies.set(entry.name, loading)
      // A failure is not kept: the file may be back the next time.
      loading.catch(() => bodies.delete(entry.name))
      return loading
    },
  }
}

interface Listed {
  readonly entry: SkillEntry
  readonly hidden: boolean
}

interface Discovered {
  readonly skills: readonly Listed[]
  readonly problems: readonly SkillWarning[]
}

async function discover(options: SkillsOptions): Promise<Discovered> {
  const skills = new Map<string, Listed>()
  const problems: SkillWarning[] = []
  for (const folder of await skillFolders(options)) {
    const found = await findSkillFiles(folder)
    problems.push(...found.problems)
    const parsed = await Promise.all(found.files.map(async (path) => ({ path, ...(await loadSkillFile(path)) })))
    for (const skill of parsed) {
      problems.push(
        ...skill.problems.map(({ line, text }) => ({ path: skill.path, problem: `in line ${line}: ${text}` })),
      )
      if (skill.entry === undefined) continue
      const key = skill.entry.name.toLowerCase()
      const first = skills.get(key)
      if (first) {
        const problem = `the name "${skill.entry.name}" is already taken by ${first.entry.path}, which is used`
        problems.push({ path: skill.path, problem })
        continue
      }
      const { tools, withheld } = grantedTools({ name: skill.entry.name, tools: skill.tools }, folder, options.trusted)
      if (withheld) problems.push({ path: skill.path, problem: withheld })
      skills.set(key, {
        hidden: skill.hidden,
        entry: { ...skill.entry, source: folder.source, path: skill.path, ...(tools.length > 0 && { tools }) },
      })
    }
  }
  return { skills: [...skills.values()], problems }
}

/** A project brings instructions as it likes; what would run something waits for trust. */
function grantedTools(
  skill: { readonly name: string; readonly tools: NonNullable<SkillEntry["tools"]> },
  { source }: SkillFolder,
  trusted: SkillsOptions["trusted"],
) {
  const { tools } = skill
  const isTrusted = typeof trusted === "boolean" ? trusted : trusted(skill)
  if (source !== "project" || isTrusted || tools.length === 0) return { tools, withheld: undefined }
  const count = tools.length === 1 ? "its tool is" : `its ${tools.length} tools are`
  return { tools: [], withheld: `${count} left out: the folder is not trusted with them; see haft trust` }
}

function find(skills: readonly Listed[], name: string): SkillEntry {
  const wanted = name.trim().toLowerCase()
  const found = skills.find(({ entry }) => entry.name.toLowerCase() === wanted)
  if (found) return found.entry
  const names = skills.filter(({ hidden }) => !hidden).map(({ entry }) => entry.name)
  const near = nearestNames(name, names)
  const hint = near.length > 0 ? `Did you mean ${near.map((each) => `"${each}"`).join(", ")}?` : listOf(names)
  throw new ToolError("not_found", `Cannot load skill "${shortened(name)}": there is none of that name`, {
    hint,
    details: { near },
  })
}

function listOf(names: readonly string[]): string {
  if (names.length === 0) return "There are no skills here"
  const shown = names.slice(0, 20).join(", ")
  return names.length > 20 ? `There are ${shown} and ${names.length - 20} more` : `There are ${shown}`
}

async function loadBody(entry: SkillEntry): Promise<Skill> {
  try {
    const text = await readSkillFile(entry.path, dirname(entry.path))
    const { body } = await readFrontMatter(text)
    return { ...entry, body: body.trim(), text }
  } catch (error) {
    throw new ToolError(
      "unavailable",
      `Cannot load skill "${entry.name}": ${(error as Error).message} (${entry.path})`,
      {
        hint: "Go on without the skill",
      },
    )
  }
}

function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}...` : name
}
