import { joinPath } from "../path/join-path.js"
import type { CommandAnalysis } from "./command-analysis.js"

/** The text of a small file, or undefined where there is none. */
type Peek = (path: string) => string | undefined

/** The folders in which git keeps the records that a line changes: what a change there is expected by. */
export function repositoryRecords({ parts }: CommandAnalysis, peek: Peek): readonly string[] {
  const folders = parts.flatMap(({ repositories = [], directory }) =>
    repositories.map((folder) => joinPath(directory, folder)),
  )
  return [...new Set(folders)].flatMap((folder) => recordsOf(folder, peek))
}

/** The repository that a folder lies in is the first one upwards; where there is none yet, one in the folder itself. */
function recordsOf(folder: string, peek: Peek): readonly string[] {
  for (let place = folder; place !== "/"; place = joinPath(place, "..")) {
    const git = joinPath(place, ".git")
    if (peek(`${git}/HEAD`) !== undefined) return [git]
    const link = /^gitdir: (.+)$/m.exec(peek(git) ?? "")?.[1]
    if (link !== undefined) return [sharedRecords(joinPath(place, link))]
  }
  return [joinPath(folder, ".git")]
}

/** A further work tree keeps its objects and branches in the repository that it belongs to. */
function sharedRecords(git: string): string {
  return /^(.+)\/worktrees\/[^/]+$/.exec(git)?.[1] ?? git
}
