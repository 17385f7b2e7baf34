import { type FileReader, ToolError } from "@haft/contract"
import type { Git } from "../../shared/git/open-git.js"
import { refuseFlag } from "../../shared/git/refuse-flag.js"
import { isBranch, resolveCommit } from "../../shared/git/resolve-commit.js"
import { gitFailed } from "../../shared/git/run-git.js"
import type { GitAnswer, GitCall } from "../command/command.js"
import { excludeFile, usualFolder, usualPlace } from "../index.js"
import { needed } from "../used-arguments.js"
import { isOutOfReach, readWorktrees } from "./read-worktrees.js"

/** Makes a work tree in a folder of its own, on a new branch or one that exists. */
export async function create(call: GitCall): Promise<GitAnswer> {
  const { git, input, context } = call
  const name = refuseFlag("name", needed(input, "name"))
  const { path, isOutside } = await freePlace(call, name)
  const commit = input.new_branch
    ? await resolveCommit(git, "base", input.base ?? "HEAD")
    : await resolveCommit(git, "name", `refs/heads/${name}`)
  if (input.new_branch && (await isBranch(git, name))) throw taken(name)
  if (input.path === undefined) await excludeFolder(call)
  const neutralised = await add(git, { name, path, commit, isNew: input.new_branch, isOutside })
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
  /** Outside the workspace: a person agreed to it, and the sandbox puts it there. */
  readonly isOutside: boolean
}

/** Makes the work tree, or leaves nothing of it; returns what was switched off while it was filled. */
async function add(git: Git, { name, path, commit, isNew, isOutside }: NewWorktree): Promise<string[]> {
  const place = isNew ? ["--no-track", "-b", name, "--end-of-options", path, commit] : ["--end-of-options", path, name]
  const inTwoSteps = git.settings.some(({ key }) => key.startsWith("includeif."))
  const options = ["--quiet", ...(inTwoSteps ? ["--no-checkout"] : [])]
  try {
    const outcome = await git.run("git worktree", ["worktree", "add", ...options, ...place], { writes: true })
    if (outcome.exitCode !== 0) throw gitFailed(outcome, "git worktree")
    const { note = "" } = outcome.changes
    // Of a folder outside the workspace what rules ask about is not put into place, and half a work tree is none.
    if (isOutside && /not written/i.test(note)) throw new ToolError("denied", `Cannot create the work tree: ${note}`)
    return inTwoSteps ? [...(await fill(git, path, isOutside))] : []
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
async function fill(git: Git, path: string, isOutside: boolean): Promise<readonly string[]> {
  const inside = await git.inWorktree({ top: path, gitFolder: `${path}/.git` }, isOutside)
  await inside.read("git reset", ["reset", "--hard", "--quiet", "--no-recurse-submodules"], { writes: true })
  return inside.neutralised
}

interface FreePlace {
  readonly path: string
  readonly isOutside: boolean
}

/** Where the work tree goes: a folder of its own in the working directory unless a path is given; nothing may be there. */
async function freePlace({ git, input, context: { files } }: GitCall, name: string): Promise<FreePlace> {
  if (input.path === undefined) await assertTop(git, files)
  const { resolved, kind } = await files.locate(input.path ?? usualPlace(name))
  const isOutside = await isOutOfReach(files, resolved)
  const occupied = kind !== "missing" || (await readWorktrees(git)).some((worktree) => worktree.path === resolved)
  if (!occupied) return { path: resolved, isOutside }
  throw new ToolError(
    "conflict",
    `Cannot create a work tree in "${files.display(resolved)}": something is there; name another path`,
  )
}

/** The usual place is below the working directory, and the repository there has to exclude it. */
async function assertTop({ repository }: Git, files: FileReader): Promise<void> {
  if (!repository.linked && (await files.locate(".")).resolved === repository.top) return
  throw new ToolError(
    "invalid_args",
    'Cannot choose a folder for the work tree: the repository does not begin in "."',
    {
      hint: { say: "Name one with {key:path}" },
    },
  )
}

const encoder = new TextEncoder()

/** Tells git, and searches, to leave the usual folder out; what else the file says stays. */
async function excludeFolder({ context: { files } }: GitCall): Promise<void> {
  const line = `/${usualFolder}/`
  if ((await files.stat(excludeFile)) === undefined) {
    await files.write(excludeFile, encoder.encode(`${line}\n`))
    return
  }
  const { bytes } = await files.readAll(excludeFile, { maxBytes: maxExcludeBytes })
  if (new TextDecoder().decode(bytes).split("\n").includes(line)) return
  await files.update(excludeFile, { maxBytes: maxExcludeBytes }, ({ bytes: before }) => {
    const start = before.length === 0 || before.at(-1) === newline ? "" : "\n"
    return Uint8Array.from([...before, ...encoder.encode(`${start}${line}\n`)])
  })
}

const maxExcludeBytes = 1024 * 1024
const newline = 10

function taken(name: string): ToolError {
  return new ToolError("conflict", `Cannot create the branch "${name}": it exists; set new_branch to false to use it`)
}
