import { ToolError } from "@haft/contract"
import { deniedPaths, excluding } from "../../shared/git/denied-paths.js"
import { gitFailed } from "../../shared/git/run-git.js"
import { type GitCommand, listed, pathOf } from "./command.js"
import { diffEnds } from "./diff-ends.js"

// More would not fit on a command line.
const maxExcluded = 500
// What stays in memory of a long diff; all of it is in a file then.
const keepBytes = 4 * 1024 * 1024

/** What differs between two commits, or a commit and the work tree; without the files that rules deny. */
export const diff: GitCommand = async (call) => {
  const { git, input, context } = call
  const ends = await diffEnds(git, input)
  const within = input.path === undefined ? [":(top)"] : [`:(literal)${input.path}`]
  const names = (
    await git.read("git diff", ["diff", ...options, "--name-only", "--no-renames", "-z", ...ends, "--", ...within])
  )
    .split("\0")
    .filter((name) => name !== "")
  const denied = await deniedPaths(context, git.repository.top, names)
  if (denied.size > maxExcluded) throw tooManyDenied(denied.size)
  const args = ["diff", ...options, "--patch", ...ends, "--", ...within, ...excluding(denied)]
  const outcome = await git.run("git diff", args, { keepBytes })
  if (outcome.exitCode !== 0) throw gitFailed(outcome, "git diff")
  if (outcome.stdout.truncated && outcome.outputPath !== undefined) context.setSidecar(outcome.outputPath)
  const { list, mark } = listed(names.filter((name) => !denied.has(name)).map((name) => pathOf(call, name)))
  return {
    text: outcome.stdout.text || "No differences",
    paths: list,
    ...mark,
    ...(denied.size > 0 && { denied: denied.size }),
  }
}

/** Said in full, because a repository can set each of them otherwise. */
const options: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--submodule=short",
  "--ignore-submodules=dirty",
  "--no-relative",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--unified=3",
  "-O/dev/null",
]

function tooManyDenied(count: number): ToolError {
  return new ToolError("too_large", `Cannot show the diff: ${count} files in it are left out by rules`, {
    hint: { say: "Narrow it with {key:path}" },
  })
}
