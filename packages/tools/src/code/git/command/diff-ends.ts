import { ToolError } from "@haft/contract"
import type { Git } from "../../shared/git/open-git.js"
import { refuseFlag } from "../../shared/git/refuse-flag.js"
import { headCommit, resolveCommit } from "../../shared/git/resolve-commit.js"
import type { GitInput } from "../index.js"

/**
 * The arguments that name what a diff compares, as ids of commits: `from`, and `to` unless that is the work tree. Only
 * commits have names of files that rules can be asked about, so single files by id are refused.
 */
export async function diffEnds(git: Git, { target, ref }: GitInput): Promise<readonly string[]> {
  const range = target === undefined ? undefined : /^(.*?)(\.{2,3})(.*)$/s.exec(refuseFlag("target", target))
  if (range) {
    if (ref !== undefined) throw twoEnds(target!)
    const from = await resolveCommit(git, "target", range[1] || "HEAD")
    const to = await resolveCommit(git, "target", range[3] || "HEAD")
    return range[2] === ".." ? [from, to] : [await mergeBase(git, from, to), to]
  }
  const from = target === undefined ? await headCommit(git) : await resolveCommit(git, "target", target)
  if (ref !== undefined)
    return [from ?? (await resolveCommit(git, "target", "HEAD")), await resolveCommit(git, "ref", ref)]
  // Before the first commit there is only what is staged.
  return from === undefined ? ["--cached"] : [from]
}

async function mergeBase(git: Git, from: string, to: string): Promise<string> {
  const outcome = await git.run("git merge-base", ["merge-base", from, to])
  const id = outcome.stdout.text.trim()
  if (outcome.exitCode === 0 && id !== "") return id
  throw new ToolError("not_found", `Cannot compare "${from}" and "${to}": they have no commit in common; use ".."`)
}

function twoEnds(target: string): ToolError {
  return new ToolError("invalid_args", `Cannot compare "${target}" with ref: the range names both ends; leave ref out`)
}
