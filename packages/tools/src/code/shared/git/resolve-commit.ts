import { nearestNames, ToolError } from "@haft/contract"
import type { Git } from "./open-git.js"
import { refuseFlag } from "./refuse-flag.js"

/** The full id of the commit that a name means; `not_found` with near names otherwise. Files and folders are no commits. */
export async function resolveCommit(git: Git, key: string, name: string): Promise<string> {
  const found = await tryCommit(git, refuseFlag(key, name))
  if (found !== undefined) return found
  if (name === "HEAD") {
    throw new ToolError("not_found", `Cannot use "HEAD" as ${key}: there is no commit yet; make the first one`)
  }
  const near = nearestNames(name, await branchNames(git))
  throw new ToolError("not_found", `Cannot use "${name}" as ${key}: there is no such commit, branch or tag`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((each) => `"${each}"`).join(", ")}?`
        : 'See what there is with "branch"',
  })
}

/** The id of the commit that HEAD is at; undefined before the first one. */
export function headCommit(git: Git): Promise<string | undefined> {
  return tryCommit(git, "HEAD")
}

/** Whether there is a branch of this name. */
export async function isBranch(git: Git, name: string): Promise<boolean> {
  const args = ["show-ref", "--verify", "--quiet", "--end-of-options", `refs/heads/${name}`]
  return (await git.run("git show-ref", args)).exitCode === 0
}

async function tryCommit(git: Git, name: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
  const outcome = await git.run("git rev-parse", args)
  const id = outcome.stdout.text.trim()
  return outcome.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined
}

async function branchNames(git: Git): Promise<readonly string[]> {
  const args = ["for-each-ref", "--count=500", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"]
  return (await git.read("git for-each-ref", args)).split("\n").filter((name) => name !== "")
}
