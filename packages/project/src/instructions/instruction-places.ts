import { dirname, join, resolve } from "node:path"
import { isBelow } from "@haft/contract"
import { repositoryFolders } from "./repository-folders.js"

/** A file that may hold instructions. */
export interface InstructionPlace {
  readonly path: string
  /** What it must be in, links followed. */
  readonly within: string
}

/** Where instructions are looked for. */
export interface InstructionsRequest {
  readonly roots: readonly string[]
  /** The working directory: what is in folders between a root and it is nearer than the root's own. */
  readonly directory: string
  readonly userHome: string
  readonly configHome: string
  /** About 4 bytes each; 8000 by default. */
  readonly maxTokens?: number
}

const names = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"]

/** The files that may hold instructions, outermost first: the user's, then from above a root down to the directory. */
export async function instructionPlaces(request: InstructionsRequest): Promise<readonly InstructionPlace[]> {
  const { userHome, configHome } = request
  const user: readonly InstructionPlace[] = [
    { path: join(userHome, ".agents", "AGENTS.md"), within: userHome },
    { path: join(userHome, ".claude", "CLAUDE.md"), within: userHome },
    ...names.map((name) => ({ path: join(configHome, name), within: configHome })),
  ]
  const project = await Promise.all(request.roots.map((root) => projectPlaces(resolve(root), request)))
  const places = [...user, ...project.flat()]
  return places.filter(({ path }, index) => places.findIndex((other) => other.path === path) === index)
}

async function projectPlaces(root: string, request: InstructionsRequest): Promise<readonly InstructionPlace[]> {
  const folders = [...foldersBetween(resolve(request.directory), root), ...(await foldersAbove(root, request))]
  const within = folders.at(-1)!
  return folders.reverse().flatMap((folder) => names.map((name) => ({ path: join(folder, name), within })))
}

/** From the directory up to the root, the root left out. */
function foldersBetween(directory: string, root: string): readonly string[] {
  const folders: string[] = []
  for (let folder = directory; isBelow(folder, root); folder = dirname(folder)) folders.push(folder)
  return folders
}

/** From the root upward: to the root of its repository, without one up to the user's home, elsewhere not at all. */
async function foldersAbove(root: string, { userHome }: InstructionsRequest): Promise<readonly string[]> {
  const home = resolve(userHome)
  const folders = await repositoryFolders(root, home)
  // Outside the home others may write into folders above; what they say there is no instruction of the user.
  return folders.length > 1 || !isBelow(root, home) ? folders : [root, ...foldersBetween(dirname(root), home)]
}
