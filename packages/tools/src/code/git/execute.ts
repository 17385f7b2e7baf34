import type { Execute } from "@haft/contract"
import { openGit } from "../shared/git/open-git.js"
import { refuseFlag } from "../shared/git/refuse-flag.js"
import { isBranch, resolveCommit } from "../shared/git/resolve-commit.js"
import { branch } from "./command/branch.js"
import type { GitCall, GitCommand } from "./command/command.js"
import { diff } from "./command/diff.js"
import { log } from "./command/log.js"
import { remote } from "./command/remote.js"
import { stash } from "./command/stash.js"
import { status } from "./command/status.js"
import type { GitInput, manifest } from "./index.js"
import { assertUsed, needed } from "./used-arguments.js"
import { worktree } from "./worktree/worktree.js"

/** Makes the work tree that of a branch, or of a commit with HEAD at no branch. */
const checkout: GitCommand = async ({ git, input }) => {
  const ref = refuseFlag("ref", needed(input, "ref"))
  const commit = await resolveCommit(git, "ref", ref)
  const named = await isBranch(git, ref)
  const place = named ? [ref] : ["--detach", commit]
  // Quiet: telling what is changed would look into submodules.
  const options = ["--quiet", "--no-recurse-submodules", ...(input.force ? ["--force"] : [])]
  await git.read("git checkout", ["checkout", ...options, ...place, "--"], { writes: true })
  const text = named ? `Switched to branch ${ref}` : `HEAD is now at ${commit.slice(0, 9)}, at no branch`
  return { text, branch: named ? ref : null, commit }
}

const commands: Readonly<Record<GitInput["command"], GitCommand>> = {
  status,
  log,
  branch,
  checkout,
  diff,
  stash,
  remote,
  worktree,
}

/** Runs one command in the repository of the working directory. */
export const execute: Execute<typeof manifest> = async (input, context) => {
  assertUsed(input)
  const git = await openGit(context)
  const call: GitCall = { input, git, context }
  const answer = await commands[input.command](call)
  const { level, backend, profile, network } = git.isolation()
  const neutralised = [...new Set([...git.neutralised, ...(answer.neutralised ?? [])])]
  return {
    ...answer,
    command: input.command,
    ...(neutralised.length > 0 && { neutralised }),
    isolation: { level, backend, profile, network },
  }
}
