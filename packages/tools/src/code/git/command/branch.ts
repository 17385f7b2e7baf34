import type { Git } from "../../shared/git/open-git.js"
import { recordsOf } from "../../shared/git/records-of.js"
import { refuseFlag } from "../../shared/git/refuse-flag.js"
import { resolveCommit } from "../../shared/git/resolve-commit.js"
import { type GitAnswer, type GitCommand, listed } from "./command.js"

/** Creates a branch, or lists them. */
export const branch: GitCommand = async ({ git, input }) => {
  if (input.name === undefined) return list(git)
  const name = refuseFlag("name", input.name)
  const commit = await resolveCommit(git, "base", input.base ?? "HEAD")
  await git.read("git branch", ["branch", "--no-track", "--end-of-options", name, commit], { writes: true })
  return { text: `Created branch ${name} at ${commit.slice(0, 9)}`, branch: name, commit, created: true }
}

async function list(git: Git): Promise<GitAnswer> {
  const format = "%(refname:short)%00%(objectname)%00%(HEAD)%00%(upstream:short)%00"
  const output = await git.read("git branch", ["for-each-ref", `--format=${format}`, "refs/heads"])
  const branches = recordsOf(output.replaceAll("\0\n", "\0"), 4).map(([name, commit, head, upstream]) => ({
    name: name!,
    commit: commit!,
    current: head === "*",
    ...(upstream !== "" && { upstream: upstream! }),
  }))
  const { list: shown, mark } = listed(branches)
  const lines = branches.map(({ name, commit, current }) => `${current ? "*" : " "} ${name} ${commit.slice(0, 9)}`)
  return { text: lines.join("\n") || "No branches yet", branches: shown, ...mark }
}
