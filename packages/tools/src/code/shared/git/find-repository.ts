import { type FileReader, ToolError } from "@haft/contract"

/** A repository as the files of the workspace show it; nothing of its settings is believed. */
export interface Repository {
  /** The absolute folder that holds `.git`. */
  readonly top: string
  /** The `--git-dir`: a folder, or the file of a linked work tree that names one. */
  readonly gitFolder: string
  /** True in a work tree that shares its repository with another. */
  readonly linked: boolean
  /** A folder of the repository that is outside the workspace. */
  readonly outside?: string
}

/**
 * The repository of the working directory. Found through the file port and passed to git, which would otherwise
 * take any folder that looks like a bare repository, look above the workspace, and believe `core.worktree`.
 */
export async function findRepository(files: FileReader): Promise<Repository> {
  const start = (await files.locate(".")).resolved
  for (let folder: string | undefined = start; folder !== undefined; folder = parentOf(folder)) {
    if (!(await isInReach(files, folder))) break
    const git = `${folder}/.git`
    const facts = await files.stat(git)
    if (facts) return describe(files, { top: folder, gitFolder: git, isFile: facts.kind === "file" })
  }
  throw new ToolError("not_found", 'Cannot use git here: "." is not inside a repository of the workspace', {
    hint: 'Work in a folder that holds ".git", or make a repository first',
  })
}

async function describe(
  files: FileReader,
  { top, gitFolder, isFile }: { readonly top: string; readonly gitFolder: string; readonly isFile: boolean },
): Promise<Repository> {
  const own = isFile ? await namedFolder(files, gitFolder, top) : gitFolder
  if (own === undefined) {
    throw new ToolError("unsupported", `Cannot use git here: "${files.display(gitFolder)}" does not name a git folder`)
  }
  if (!(await isInReach(files, own))) return { top, gitFolder, linked: true, outside: own }
  const shared = await namedFolder(files, `${own}/commondir`, own)
  const outside = shared === undefined || (await isInReach(files, shared)) ? undefined : shared
  return { top, gitFolder, linked: shared !== undefined, ...(outside !== undefined && { outside }) }
}

/** The folder that a file such as `.git` or `commondir` names; undefined when there is none. */
async function namedFolder(files: FileReader, path: string, base: string): Promise<string | undefined> {
  if ((await files.stat(path))?.kind !== "file") return undefined
  const { bytes } = await files.readAll(path, { maxBytes: 4096 })
  const named = new TextDecoder()
    .decode(bytes)
    .replace(/^gitdir: /, "")
    .trim()
  if (named === "" || named.includes("\0")) return undefined
  return (await files.locate(isAbsolute(named) ? named : `${base}/${named}`)).resolved
}

async function isInReach(files: FileReader, folder: string): Promise<boolean> {
  try {
    return (await files.stat(folder)) !== undefined
  } catch (error) {
    if (ToolError.is(error) && error.code === "denied") return false
    throw error
  }
}

function isAbsolute(path: string): boolean {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(path)
}

function parentOf(folder: string): string | undefined {
  const end = Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("\\"))
  return end <= 0 ? undefined : folder.slice(0, end)
}
