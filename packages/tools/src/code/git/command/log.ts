import { recordsOf } from "../../shared/git/records-of.js"
import { headCommit, resolveCommit } from "../../shared/git/resolve-commit.js"
import { shownName } from "../../shared/git/shown-name.js"
import { type GitCommand, listed } from "./command.js"

/** The commits that lead to a commit, newest first. */
export const log: GitCommand = async ({ git, input, context }) => {
  const start = input.ref === undefined ? await headCommit(git) : await resolveCommit(git, "ref", input.ref)
  if (start === undefined) return { text: "No commits yet", commits: [] }
  const output = await git.read("git log", [
    "log",
    "-z",
    "--format=tformat:%h%x00%H%x00%an%x00%aI%x00%s%x00%P",
    `--max-count=${input.max_count}`,
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-mailmap",
    "--no-patch",
    start,
    "--",
    ...(input.path === undefined ? [] : [`:(literal)${input.path}`]),
  ])
  const records = recordsOf(output, 6)
  const commits = records.map(([id, commit, author, date, message]) => {
    return { id: id!, commit: commit!, author: author!, date: date!, message: message! }
  })
  const { list, mark } = listed(commits)
  context.setState({ parents: records.slice(0, list.length).map((fields) => fields[5]!.split(" ").filter(Boolean)) })
  const lines = commits.map(({ id, author, date, message }) => {
    return `${id} ${date.slice(0, 10)} ${shownName(author)}: ${shownName(message)}`
  })
  return { text: lines.join("\n") || "No commits", commits: list, ...mark }
}
