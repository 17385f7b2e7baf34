import { readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { bestEffort } from "@haft/contract"

/** The index of a repository and the directory that its names start from. */
export interface IndexPlace {
  readonly workTree: string
  /** The folder of this work tree: its HEAD and its index. */
  readonly gitFolder: string
  /** The folder that all work trees share: objects and references. */
  readonly commonFolder: string
  readonly indexFile: string
  /** Bytes of an object name: 20 in ordinary repositories, 32 in those that use SHA-256. */
  readonly hashBytes: 20 | 32
}

/** The index of the repository that a directory is in; undefined outside of any. */
export function findIndex(directory: string): IndexPlace | undefined {
  for (let workTree = directory; ; workTree = dirname(workTree)) {
    const gitFolder = gitFolderOf(workTree)
    if (gitFolder) return placeOf(workTree, gitFolder)
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

function placeOf(workTree: string, gitFolder: string): IndexPlace {
  const common = readText(join(gitFolder, "commondir")).trim()
  const commonFolder = common ? resolve(gitFolder, common) : gitFolder
  const isSha256 = /^\s*objectformat\s*=\s*sha256\s*$/im.test(readText(join(commonFolder, "config")))
  const indexFile = join(gitFolder, "index")
  return { workTree, gitFolder, commonFolder, indexFile, hashBytes: isSha256 ? 32 : 20 }
}

/** The text of a small file; empty when it cannot be read. */
export function readText(path: string): string {
  return bestEffort("what cannot be read names nothing", () => readFileSync(path, "utf8")) ?? ""
}
