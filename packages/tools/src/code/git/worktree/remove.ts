import { isBelow, ToolError } from "@haft/contract"
import type { Git } from "../../shared/git/open-git.js"
import { gitFailed } from "../../shared/git/run-git.js"
import type { GitAnswer, GitCall } from "../command/command.js"
import { parseStatus } from "../command/parse-status.js"
import { statusArguments } from "../command/status.js"
import { needed } from "../used-arguments.js"
import { isOutOfReach, readWorktrees } from "./read-worktrees.js"

/** Removes a linked work tree with its folder; the branch stays. */
export async function remove({ git, input, context: { files } }: GitCall): Promise<GitAnswer> {
  const { resolved: path, kind } = await files.locate(needed(input, "path"))
  const shown = files.display(path)
  const [main, ...linked] = await readWorktrees(git)
  const found = linked.find((worktree) => worktree.path === path)
  if (found === undefined) throw notLinked(shown, path === main?.path)
  if (found.locked)
    throw new ToolError("conflict", `Cannot remove "${shown}": the work tree is locked; unlock it first`)
  const isOutside = await isOutOfReach(files, path)
  const isThere = isOutside ? kind !== "missing" : (await files.stat(path)) !== undefined
  if (isThere && !input.force) {
    // Looked at here and not by `worktree remove`, which would look into repositories inside it and obey them.
    const inside = await git.inWorktree({ top: path, gitFolder: `${path}/.git` }, isOutside)
    const { entries } = parseStatus(await inside.read("git status", [...statusArguments, "--untracked-files=all"]))
    if (entries.length > 0) throw hasChanges(shown, entries.length)
  }
  await forget(git, path)
  await sweep(git, path)
  const isGone = isOutside || (await files.stat(path)) === undefined
  const rest = isGone ? "" : "; names that the sandbox holds are still in its folder"
  return { text: `Removed the work tree ${shown}${rest}`, path: shown, removed: true }
}

/** The sandbox holds some names in a work tree, so its folder may stay although the work tree is gone. */
async function forget(git: Git, path: string): Promise<void> {
  const outcome = await git.run("git worktree", ["worktree", "remove", "--force", "--end-of-options", path], {
    writes: true,
  })
  if (outcome.exitCode === 0) return
  if ((await readWorktrees(git)).some((worktree) => worktree.path === path)) throw gitFailed(outcome, "git worktree")
}

/** What stayed is no work tree any more, and is not held any more either. */
async function sweep(git: Git, path: string): Promise<void> {
  const { top } = git.repository
  if (!isBelow(path, top)) return
  const place = `:(top,literal)${path.slice(top.length + 1)}`
  await git.run("git clean", ["clean", "--force", "--quiet", "-d", "-x", "--", place], { writes: true })
}

function notLinked(shown: string, isMain: boolean): ToolError {
  const reason = isMain ? "it is the main work tree" : "it is no work tree of this repository"
  return new ToolError("not_found", `Cannot remove "${shown}": ${reason}`, {
    hint: "See them with subcommand list",
  })
}

function hasChanges(shown: string, count: number): ToolError {
  const changes = count === 1 ? "1 uncommitted change" : `${count} uncommitted changes`
  return new ToolError(
    "conflict",
    `Cannot remove "${shown}": it has ${changes}; commit them, or use force to lose them`,
  )
}
