import { deniedPaths } from "../../shared/git/denied-paths.js"
import { shownName } from "../../shared/git/shown-name.js"
import { type GitCommand, listed, pathOf } from "./command.js"
import { parseStatus, type StatusEntry, type StatusReport } from "./parse-status.js"

/** Branch, distance to upstream, and every file that is changed or new. */
export const status: GitCommand = async (call) => {
  const { git, context } = call
  const report = parseStatus(await git.read("git status", statusArguments))
  const { top, linked } = git.repository
  // A masked file looks changed inside the sandbox, and a name that may not be read is not named.
  const denied = await deniedPaths(
    context,
    top,
    report.entries.flatMap(({ path, from = path }) => [path, from]),
  )
  const entries = report.entries
    .filter(({ path, from = path }) => !denied.has(path) && !denied.has(from))
    .map(({ path, state, from }) => ({
      ...{ path: pathOf(call, path), state },
      ...(from !== undefined && { from: pathOf(call, from) }),
    }))
  const { list, mark } = listed(entries)
  const { entries: _, ...place } = report
  return {
    text: words(report, entries),
    ...place,
    is_worktree: linked,
    is_dirty: entries.length > 0,
    dirty_count: entries.length,
    entries: list,
    ...mark,
    ...(denied.size > 0 && { denied: denied.size }),
  }
}

/** How git is asked: a submodule counts by its commit alone, because looking into it would obey its settings. */
export const statusArguments: readonly string[] = [
  "status",
  "--porcelain=v2",
  "--branch",
  "-z",
  "--untracked-files=normal",
  "--ignored=no",
  "--ignore-submodules=dirty",
]

function words(report: StatusReport, entries: readonly StatusEntry[]): string {
  const files = entries.map(({ path, state, from }) => {
    return `${state} ${from === undefined ? "" : `${shownName(from)} -> `}${shownName(path)}`
  })
  return [headline(report), ...(files.length > 0 ? files : ["Nothing to commit, working tree clean"])].join("\n")
}

function headline({ branch, commit, upstream, ahead, behind }: StatusReport): string {
  const place = branch === null ? `HEAD detached at ${commit?.slice(0, 9) ?? "nothing"}` : `On branch ${branch}`
  const distance = ahead || behind ? `, ${ahead ?? 0} ahead and ${behind ?? 0} behind` : ""
  const tracking = upstream === undefined ? "" : ` (upstream ${upstream}${distance})`
  return `${place}${tracking}${commit === null ? ", no commits yet" : ""}`
}
