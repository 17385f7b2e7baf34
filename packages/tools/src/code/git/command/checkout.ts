import { refuseFlag } from "../../shared/git/refuse-flag.js"
import { isBranch, resolveCommit } from "../../shared/git/resolve-commit.js"
import { needed } from "../used-arguments.js"
import type { GitCommand } from "./command.js"

/** Makes the work tree that of a branch, or of a commit with HEAD at no branch. */
export const checkout: GitCommand = async ({ git, input }) => {
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
