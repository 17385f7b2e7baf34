import { deniedPaths, excluding } from "../../shared/git/denied-paths.js"
import type { Git } from "../../shared/git/open-git.js"
import { recordsOf } from "../../shared/git/records-of.js"
import { shownName } from "../../shared/git/shown-name.js"
import { createsStash } from "../index.js"
import { type GitAnswer, type GitCall, type GitCommand, listed } from "./command.js"
import { parseStatus } from "./parse-status.js"
import { statusArguments } from "./status.js"

/** Puts uncommitted changes aside, or lists what was put aside. */
export const stash: GitCommand = (call) => (createsStash(call.input) ? create(call) : list(call.git))

async function create({ git, input, context }: GitCall): Promise<GitAnswer> {
  // Files that rules deny stay where they are: inside the sandbox they cannot be read, and a stash would carry them off.
  const untracked = input.include_untracked ? "--untracked-files=all" : "--untracked-files=no"
  const { entries } = parseStatus(await git.read("git status", [...statusArguments, untracked]))
  const names = entries.map(({ path }) => path)
  const denied = await deniedPaths(context, git.repository.top, names)
  const left = denied.size > 0 ? { denied: denied.size } : {}
  if (names.every((name) => denied.has(name))) return { text: "No changes to put aside", created: false, ...left }
  const before = await stashCommit(git)
  const options = [
    ...(input.include_untracked ? ["--include-untracked"] : []),
    ...(input.message === undefined ? [] : [`--message=${input.message}`]),
  ]
  const foreign = names.filter((name) => name.endsWith("/"))
  const excluded = excluding([...denied, ...foreign, ...(await innerRepositories(git))])
  // With a path git puts aside what it lists; without one it cleans, and trips over the names that the sandbox holds.
  const paths = excluded.length > 0 || input.include_untracked ? ["--", ":(top)", ...excluded] : []
  await git.read("git stash", ["stash", "push", "--quiet", ...options, ...paths], { writes: true })
  const commit = await stashCommit(git)
  if (commit === undefined || commit === before) return { text: "No changes to put aside", created: false, ...left }
  return { text: `Saved the changes as stash@{0} (${commit.slice(0, 9)})`, created: true, commit, ...left }
}

/** Repositories inside this one: making a stash would look into them and obey their settings, so they are left out. */
async function innerRepositories(git: Git): Promise<readonly string[]> {
  const output = await git.read("git ls-files", ["ls-files", "--stage", "-z", "--full-name", ":(top)"], {
    keepBytes: indexBytes,
  })
  return [...output.matchAll(/(?:^|\0)160000 [0-9a-f]+ \d\t([^\0]+)/g)].map(([, name]) => name!)
}

// Of about a million files; a stream keeps half of this at either end.
const indexBytes = 128 * 1024 * 1024

async function list(git: Git): Promise<GitAnswer> {
  const format = "--format=tformat:%gd%x00%H%x00%cI%x00%gs"
  const output = await git.read("git stash", ["stash", "list", "-z", format, "--no-show-signature", "--no-mailmap"])
  const stashes = recordsOf(output, 4).map(([name, commit, date, message]) => {
    return { name: name!, commit: commit!, date: date!, message: message! }
  })
  const { list: shown, mark } = listed(stashes)
  const lines = stashes.map(({ name, date, message }) => `${name} ${date.slice(0, 10)} ${shownName(message)}`)
  return { text: lines.join("\n") || "No stashes", stashes: shown, ...mark }
}

async function stashCommit(git: Git): Promise<string | undefined> {
  const outcome = await git.run("git rev-parse", ["rev-parse", "--verify", "--quiet", "refs/stash"])
  return outcome.exitCode === 0 ? outcome.stdout.text.trim() : undefined
}
