import { join, resolve } from "node:path"
import type { SkillEntry } from "@haft/contract"
import { repositoryFolders } from "../instructions/repository-folders.js"

/** A folder that may hold skills. */
export interface SkillFolder {
  readonly path: string
  readonly source: SkillEntry["source"]
  /** What it must be in, links followed: a project cannot point out of itself. */
  readonly within?: string
}

/** Where skills are looked for. */
export interface SkillPlaces {
  readonly roots: readonly string[]
  readonly userHome: string
  /** Further folders, absolute. */
  readonly configured: readonly string[]
  /** The folder of the skills that come with Haft. */
  readonly bundled: string | undefined
}

/** The folders in which skills are looked for; the first definition of a name wins. */
export async function skillFolders(places: SkillPlaces): Promise<readonly SkillFolder[]> {
  const { roots, userHome, configured, bundled } = places
  const project = await Promise.all(roots.map((root) => projectFolders(resolve(root), resolve(userHome))))
  const folders: readonly SkillFolder[] = [
    ...project.flat(),
    ...userFolders.map((folder): SkillFolder => ({ path: join(userHome, folder), source: "user" })),
    ...configured.map((path): SkillFolder => ({ path, source: "configured" })),
    ...(bundled === undefined ? [] : [{ path: bundled, source: "bundled" } as const]),
  ]
  return folders.filter(({ path }, index) => folders.findIndex((other) => other.path === path) === index)
}

const names = [".agents/skills", ".claude/skills"]
const userFolders = [...names, ".config/haft/skills"]

async function projectFolders(root: string, userHome: string): Promise<readonly SkillFolder[]> {
  const folders = await repositoryFolders(root, userHome)
  const within = folders.at(-1)!
  return folders.flatMap((folder) =>
    names.map((name) => ({ path: join(folder, name), source: "project", within }) as const),
  )
}
