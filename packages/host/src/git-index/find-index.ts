import { readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The index of a repository and the directory that its names start from. */
export interface IndexPlace {
  readonly workTree: string
  readonly indexFile: string
  /** Bytes of an object name: 20 in ordinary repositories, 32 in those that use SHA-256. */
  readonly hashBytes: 20 | 32
}

/** The index of the repository that a directory lies in; undefined outside of any. */
export function findIndex(directory: string): IndexPlace | undefined {
  for (let workTree = directory; ; workTree = dirname(workTree)) {
    const gitFolder = gitFolderOf(workTree)
    if (gitFolder) return { workTree, indexFile: join(gitFolder, "index"), hashBytes: hashBytesOf(gitFolder) }
    if (dirname(workTree) === workTree) return undefined
  }
}

/** In a linked work tree or a submodule `.git` is a file that says where the folder is. */
function gitFolderOf(workTree: string): string | undefined {
  const git = join(workTree, ".git")
  const facts = statSync(git, { throwIfNoEntry: false })
  if (facts?.isDirectory()) return git
  if (!facts?.isFile() || facts.size > 4096) return undefined
  const folder = /^gitdir: (.+?)\s*$/.exec(readText(git))?.[1]
  return folder && resolve(workTree, folder)
}

function hashBytesOf(gitFolder: string): 20 | 32 {
  const common = readText(join(gitFolder, "commondir")).trim()
  const config = readText(join(common ? resolve(gitFolder, common) : gitFolder, "config"))
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 32 : 20
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
