import { joinPath } from "../path/join-path.js"
import type { CommandAnalysis, CommandPartAnalysis } from "./command-analysis.js"
import type { GitContent } from "./program/git/git-content.js"

/** What a line can show of the content that git keeps, and the folders in which git is asked about it. */
export type PrintedHistory = GitContent & { readonly folders: readonly string[] }

/**
 * What the commands of a line can print from repositories. Revisions are resolved before the line runs: where another
 * command of it moves HEAD, the index or a branch, they mean something else by then, and anything can be printed.
 */
export function printedHistory({ parts }: CommandAnalysis): readonly PrintedHistory[] {
  const moves = parts.some(movesRevisions)
  const printed = parts.flatMap(({ gitContent }) => {
    if (!gitContent) return []
    return moves && gitContent.shows !== "files"
      ? [{ shows: "everything", folders: gitContent.folders } as const]
      : [gitContent]
  })
  return [...printed, ...parts.flatMap(readObjects), ...(parts.length > 1 ? parts.flatMap(unpackedStash) : [])]
}

// They add to the history what is in the work tree, where masks hide what is denied; or change no commit at all.
const steady = new Set(
  "add stage apply commit rm mv gc prune clean init clone fetch push format-patch config".split(" "),
)

function movesRevisions(part: CommandPartAnalysis): boolean {
  if (part.writes.some((path) => `/${path}`.includes("/.git/"))) return true
  const [command, ...words] = gitWords(part) ?? []
  if (command === undefined || part.readOnly || part.gitContent || steady.has(command)) return false
  return command !== "stash" || unpacks(words)
}

/** The words behind `git` and its own options; undefined for another program. */
function gitWords({ argv, readings = [] }: CommandPartAnalysis): readonly string[] | undefined {
  const reading = readings.at(-1) ?? argv
  return /(?:^|\/)git$/.test(reading[0] ?? "") ? reading.slice(1) : undefined
}

function unpacks(words: readonly string[]): boolean {
  return words.some((word) => /^(?:apply|pop|branch)$/.test(word))
}

/** A file that comes out of the stash while a line runs is behind no mask for the commands after it. */
function unpackedStash(part: CommandPartAnalysis): readonly PrintedHistory[] {
  const [command, ...words] = gitWords(part) ?? []
  if (command !== "stash" || !unpacks(words)) return []
  const folders = (part.repositories ?? ["."]).map((folder) => joinPath(part.directory, folder))
  const options = ["--walk-reflogs", "--ignore-missing", "refs/stash"]
  return [{ shows: "commits", options, words: [], paths: [], folders }]
}

/** The files in which git keeps objects are no secret to whoever can unpack them. */
function readObjects({ reads, argv, directory }: CommandPartAnalysis): readonly PrintedHistory[] {
  // What a wildcard finds counts as a read of the folder in front of it; the pattern itself is among the words.
  const paths = reads.length === 0 ? [] : [...reads, ...argv.filter((word) => word.includes(".git/"))]
  const folders = paths.flatMap((path) => objectFile.exec(joinPath(directory, path))?.[1] ?? [])
  return folders.length === 0 ? [] : [{ shows: "everything", folders: [...new Set(folders)] }]
}

// A wildcard may stand for the folder's name.
const objectFile = /^(.*?)\/\.git\/(?:objects|modules|lfs|[^/]*[*?[][^/]*)\/./
