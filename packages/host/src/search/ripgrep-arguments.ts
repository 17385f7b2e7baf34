import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * The flags of every run. Values are always joined to their flag with "=", so that no pattern or name of a file can
 * become a flag of its own.
 *
 * Hidden files are searched, because projects keep much in them (.github, .env.example); the folders of version control
 * are not, unless the search begins inside one.
 */
export const fixedArguments: readonly string[] = [
  "--no-config",
  "--color=never",
  "--path-separator=/",
  "--no-follow",
  "--no-ignore-global",
  "--no-ignore-messages",
  "--hidden",
  ...[".git", ".hg", ".svn", ".jj"].map((folder) => `--glob=!${folder}`),
]

/** Which engine reads the pattern: the linear one, or PCRE2 for what only backtracking can do. */
export type Engine = "default" | "pcre2"

/** The flags of a search in contents. */
export function grepArguments(request: {
  readonly engine: Engine
  readonly pattern: string
  readonly ignoreCase: boolean
  readonly contextLines: number
  readonly maxMatches: number
  readonly maxMatchesPerFile?: number
  readonly multiline?: boolean
}): string[] {
  return [
    `--engine=${request.engine}`,
    "--no-pre",
    "--no-search-zip",
    // A mapped file that shrinks while it is searched would kill ripgrep.
    "--no-mmap",
    "--heading",
    "--with-filename",
    "--null",
    "--line-number",
    // Long lines come whole and are cut by the reader: ripgrep would show their beginning, wherever the match is.
    "--column",
    "--crlf",
    // One more than is kept, so that "there is more" is known.
    `--max-count=${Math.min(request.maxMatches + 1, request.maxMatchesPerFile ?? Number.POSITIVE_INFINITY)}`,
    ...(request.multiline ? ["--multiline", "--multiline-dotall"] : []),
    "--regex-size-limit=10M",
    "--dfa-size-limit=64M",
    `--context=${request.contextLines}`,
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    `--regexp=${request.pattern}`,
  ]
}

/** The flags of a list of files. */
export const listArguments: readonly string[] = ["--files", "--null"]

/** Leaves out folders of these names at any depth; what the search begins in is never left out. */
export function skipArguments(folders: readonly string[] = []): string[] {
  return folders.map((folder) => `--glob=!${folder.replace(/[\\*?[\]{}!]/g, "\\$&")}/`)
}

/** Limits a run to what a glob may match, a little more included; unlike `--glob` this leaves ignore files in force. */
export function nameArguments(
  pattern: { readonly names: readonly string[] | undefined; readonly maxDepth: number | undefined } | undefined,
): string[] {
  const { names, maxDepth } = pattern ?? {}
  return [
    ...(names === undefined ? [] : [...names.map((name) => `--type-add=haft:${name}`), "--type=haft"]),
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
  ]
}

/**
 * Which ignore files count. Inside a git repository: those from its top downwards, which is ripgrep's own rule.
 * Elsewhere .gitignore counts too, but nothing above the working directory does: ripgrep knows no boundary then, and a
 * "*" in the home folder would hide everything.
 */
export function ignoreArguments(base: string, workingDirectory: string): string[] {
  if (isInRepository(base)) return []
  const isBelow = base.startsWith(join(workingDirectory, "/")) && base !== workingDirectory
  return isBelow ? ["--no-require-git"] : ["--no-require-git", "--no-ignore-parent"]
}

function isInRepository(directory: string): boolean {
  for (let current = directory; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return true
    if (dirname(current) === current) return false
  }
}
