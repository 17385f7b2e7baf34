import { ToolError } from "@haft/contract"
import type { Git } from "../../shared/git/open-git.js"
import { refuseFlag } from "../../shared/git/refuse-flag.js"
import { isBranch, resolveCommit } from "../../shared/git/resolve-commit.js"
import type { GitAnswer, GitCall } from "../command/command.js"
import { needed } from "../used-arguments.js"
import { readWorktrees } from "./read-worktrees.js"

/** Makes a work tree in a folder of its own, on a new branch or one that exists. */
export async function create(call: GitCall): Promise<GitAnswer> {
  const { git, input, context } = call
  const name = refuseFlag("name", needed(input, "name"))
  const path = await freePlace(call, name)
  const commit = input.new_branch
    ? await resolveCommit(git, "base", input.base ?? "HEAD")
    : await resolveCommit(git, "name", `refs/heads/${name}`)
  if (input.new_branch && (await isBranch(git, name))) throw taken(name)
  const neutralised = await add(git, { name, path, commit, isNew: input.new_branch })
  const shown = context.files.display(path)
  return {
    text: `Created the work tree ${shown} on branch ${name}`,
    ...{ path: shown, branch: name, commit, created: true, neutralised },
  }
}

interface NewWorktree {
  readonly name: string
  readonly path: string
  readonly commit: string
  readonly isNew: boolean
}

/** Makes the work tree, or leaves nothing of it; returns what was switched off while it was filled. */
async function add(git: Git, { name, path, commit, isNew }: NewWorktree): Promise<string[]> {
  const place = isNew ? ["--no-track", "-b", name, "--end-of-options", path, commit] : ["--end-of-options", path, name]
  const inTwoSteps = git.settings.some(({ key }) => key.startsWith("includeif."))
  const options = ["--quiet", ...(inTwoSteps ? ["--no-checkout"] : [])]
  try {
    await git.read("git worktree", ["worktree", "add", ...options, ...place], { writes: true })
    return inTwoSteps ? [...(await fill(git, path))] : []
  } catch (error) {
    await git.run("git worktree", ["worktree", "remove", "--force", "--end-of-options", path], { writes: true })
    if (isNew) await git.run("git update-ref", ["update-ref", "-d", `refs/heads/${name}`, commit], { writes: true })
    throw error
  }
}

/**
 * Settings may have conditions that hold for the new work tree alone: then the programs that they name are looked for
 * once it is there, and it gets its files afterwards. Otherwise it gets them at once, before the sandbox holds names in it.
 */
async function fill(git: Git, path: string): Promise<readonly string[]> {
  const inside = await git.inWorktree({ top: path, gitFolder: `${path}/.git` })
  await inside.read("git reset", ["reset", "--hard", "--quiet", "--no-recurse-submodules"], { writes: true })
  return inside.neutralised
}

/** Where the work tree goes: beside the repository unless a path is given; nothing may be there. */
async function freePlace({ git, input, context: { files } }: GitCall, name: string): Promise<string> {
  const beside = `${git.repository.top}-${name.replaceAll(/[/\\]/g, "-")}`
  const { resolved, kind } = await files.locate(input.path ?? beside)
  // Asks the port, which refuses a folder outside the workspace.
  await files.stat(resolved)
  const occupied = kind !== "missing" || (await readWorktrees(git)).some((worktree) => worktree.path === resolved)
  if (!occupied) return resolved
  throw new ToolError(
    "conflict",
    `Cannot create a work tree in "${files.display(resolved)}": something is there; name another path`,
  )
}

function taken(name: string): ToolError {
  return new ToolError("conflict", `Cannot create the branch "${name}": it exists; set new_branch to false to use it`)
}
