import { type FileReader, ToolError } from "@haft/contract"
import type { Git } from "../../shared/git/open-git.js"

/** A work tree as the repository knows it. */
export interface Worktree {
  readonly path: string
  readonly commit?: string
  readonly branch?: string
  readonly bare?: true
  readonly detached?: true
  readonly locked?: true
  readonly prunable?: true
  /** Its folder is outside the workspace, where nothing is looked at. */
  readonly outside?: true
}

/** Whether the session may not look at a path: it is outside the workspace. */
export async function isOutOfReach(files: FileReader, path: string): Promise<boolean> {
  try {
    await files.stat(path)
    return false
  } catch (error) {
    if (ToolError.is(error) && error.code === "denied") return true
    throw error
  }
}

/** The work trees of a repository, the main one first. */
export async function readWorktrees(git: Git): Promise<readonly Worktree[]> {
  return parseWorktrees(await git.read("git worktree", ["worktree", "list", "--porcelain", "-z"]))
}

/** Reads the output of `git worktree list --porcelain -z`: attributes, an empty one after each work tree. */
function parseWorktrees(output: string): readonly Worktree[] {
  return output
    .split("\0\0")
    .filter((record) => record.startsWith("worktree "))
    .map((record) => worktreeOf(record.split("\0")))
}

function worktreeOf(lines: readonly string[]): Worktree {
  const value = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1)
  const has = (name: string) => lines.includes(name) || value(name) !== undefined
  const commit = value("HEAD")
  const branch = value("branch")?.replace(/^refs\/heads\//, "")
  return {
    path: value("worktree")!,
    // Before the first commit it is all zeros.
    ...(commit !== undefined && !/^0+$/.test(commit) && { commit }),
    ...(branch !== undefined && { branch }),
    ...(has("bare") && { bare: true }),
    ...(has("detached") && { detached: true }),
    ...(has("locked") && { locked: true }),
    ...(has("prunable") && { prunable: true }),
  }
}
