import type { Argument, Findings } from "../findings.js"
import { hasOption, type ReadArguments } from "../read-arguments.js"

/**
 * What a git command can print of the content that a repository keeps: no mask hides that. Which names those are is a
 * question for git itself; `words` are revisions, ranges or paths, `paths` are behind two dashes.
 */
export type GitContent =
  /** Anything in refs, stash and reflogs. */
  | { readonly shows: "everything" }
  /** Nothing but the content of these names, some of which may be none. */
  | { readonly shows: "files"; readonly names: readonly string[] }
  | {
      readonly shows: "commits" | "difference" | "trees"
      /** Options that decide which names are shown. */
      readonly options: readonly string[]
      readonly words: readonly string[]
      readonly paths?: readonly string[]
    }

type Listing = Exclude<GitContent, { shows: "everything" | "files" }>

/** `git log` and the like print content only when an option asks for it. */
export function logContent(read: ReadArguments, words: readonly Argument[], findings: Findings): void {
  if (hasOption(read, ...patchOptions)) showCommits(read, words, findings)
}

/** `git reflog` and `git stash list` walk what no revision names. */
export function loggedContent(read: ReadArguments, _words: readonly Argument[], findings: Findings): void {
  if (hasOption(read, ...patchOptions)) findings.gitContent = { shows: "everything" }
}

/** `git show` prints content unless an option asks for less. */
export function showContent(read: ReadArguments, words: readonly Argument[], findings: Findings): void {
  if (!isSummary(read)) showCommits(read, words, findings, ["--no-walk"])
}

/** `git diff` compares the work tree, the index and commits. */
export function diffContent(read: ReadArguments, words: readonly Argument[], findings: Findings): void {
  if (isSummary(read)) return
  const staged = hasOption(read, "--cached", "--staged") ? ["--cached"] : []
  const base = hasOption(read, "--merge-base") ? ["--merge-base"] : []
  findings.gitContent = listing("difference", [...staged, ...base], words, read)
}

/** `git status -v` shows what `git diff --cached` does. */
export function statusContent(read: ReadArguments, _words: readonly Argument[], findings: Findings): void {
  if (hasOption(read, "-v", "--verbose")) {
    findings.gitContent = { shows: "difference", options: ["--cached"], words: [] }
  }
}

/** `git grep` searches the work tree, or the trees that follow its pattern. */
export function grepContent(read: ReadArguments, words: readonly Argument[], findings: Findings): void {
  const found = listing("trees", [], words, read)
  const isPattern = !hasOption(read, "-e", "-f")
  findings.gitContent = found.shows === "trees" && isPattern ? { ...found, words: found.words.slice(1) } : found
}

/** `git archive` packs a whole tree. */
export function archiveContent(read: ReadArguments, words: readonly Argument[], findings: Findings): void {
  findings.gitContent = listing("trees", [], words, read)
}

/** `git blame` prints the file that it is given, in any version. */
export function namedContent(read: ReadArguments, _words: readonly Argument[], findings: Findings): void {
  const literal = read.operands.every(({ kind }) => kind === "literal")
  findings.gitContent = literal
    ? { shows: "files", names: read.operands.map(({ text }) => text) }
    : { shows: "everything" }
}

/** `git cat-file` prints an object; the object that a name in a tree or the index means is known by that name. */
export function objectContent(read: ReadArguments, _words: readonly Argument[], findings: Findings): void {
  if (hasOption(read, "-t", "-s", "-e", "--batch-check") && !hasOption(read, "--batch", "-p", "--textconv")) return
  const [last] = read.operands.slice(-1)
  const name = last?.kind === "literal" ? nameInTree(last.text) : undefined
  findings.gitContent = name === undefined ? { shows: "everything" } : { shows: "files", names: [name] }
}

/** Whatever this repository keeps. */
export function anyContent(_read: ReadArguments, _words: readonly Argument[], findings: Findings): void {
  findings.gitContent = { shows: "everything" }
}

/** The name in `HEAD:name`, `:0:name` and `:name`; undefined for a commit such as `:/text`, `HEAD^{/a: b}`. */
export function nameInTree(word: string): string | undefined {
  const plain = word.replaceAll(/\{[^}]*\}/g, "")
  if (plain.startsWith(":/")) return undefined
  return /^[^:]*:(?:[0-3]:)?(.*)$/s.exec(plain)?.[1]
}

function showCommits(
  read: ReadArguments,
  words: readonly Argument[],
  findings: Findings,
  always: readonly string[] = [],
): void {
  const options = [...always]
  // Names are listed without renames, with which such a filter takes other commits: then a count ends at another commit.
  const filters = hasOption(read, ...filtering)
  for (const [name, value] of read.options) {
    if (filters && uncounted.has(name)) continue
    if (limiting.has(name)) options.push(...spelled(name, value))
    else if (!displaying.has(name)) {
      findings.gitContent = { shows: "everything" }
      return
    }
  }
  findings.gitContent = listing("commits", options, words, read)
}

function listing(
  shows: Listing["shows"],
  options: readonly string[],
  words: readonly Argument[],
  { operands }: ReadArguments,
): GitContent {
  if (operands.some(({ kind }) => kind !== "literal")) return { shows: "everything" }
  const dashes = words.findIndex(({ kind, text }) => kind === "literal" && text === "--")
  const behind = dashes < 0 ? 0 : words.length - dashes - 1
  const texts = operands.map(({ text }) => text)
  const front = texts.slice(0, texts.length - behind)
  return { shows, options, words: front, ...(dashes < 0 ? {} : { paths: texts.slice(front.length) }) }
}

function spelled(name: string, value: Argument | true): readonly string[] {
  if (value === true) return [name]
  if (name === "-#") return [`-n${value.text}`]
  return [name.startsWith("--") ? `${name}=${value.text}` : `${name}${value.text}`]
}

function isSummary(read: ReadArguments): boolean {
  return hasOption(read, ...summaryOptions) && !hasOption(read, ...patchOptions)
}

const summaryOptions =
  "-s --no-patch --stat --numstat --shortstat --dirstat --summary --name-only --name-status --raw --quiet".split(" ")
const patchOptions =
  "-p -u -U -S -G -L -W -c --cc --patch --unified --word-diff --color-words --patch-with-stat --binary --function-context".split(
    " ",
  )

const filtering = ["-S", "-G", "--diff-filter"]
const uncounted = new Set(["-#", "-n", "--max-count", "--skip", "--diff-filter"])

/** They decide which commits are shown: git is asked with the same ones. */
const limiting = new Set(
  "-# -n --max-count --skip --since --after --until --before --author --committer --grep --all-match --invert-grep -i --regexp-ignore-case -E -F -P --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents --max-parents --first-parent --no-walk --reverse --topo-order --date-order --author-date-order -S -G --pickaxe-regex --pickaxe-all --diff-filter".split(
    " ",
  ),
)

/** They decide how commits are shown, and at most leave files out. */
const displaying = new Set([
  ...summaryOptions,
  ...patchOptions.filter((option) => !["-S", "-G", "-L"].includes(option)),
  ..."-R -a -b -w -z -q -t -D -M -C -B -l -X --color --no-color --minimal --patience --histogram --diff-algorithm --find-renames --find-copies --find-copies-harder --no-renames --check --full-index --abbrev --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --exit-code --relative --text --src-prefix --dst-prefix --no-prefix --no-ext-diff --no-textconv --submodule --inter-hunk-context --compact-summary --irreversible-delete --indent-heuristic --no-indent-heuristic -m --oneline --graph --decorate --no-decorate --pretty --format --date --abbrev-commit --no-abbrev-commit --no-pager --show-signature --notes --no-notes --source --parents --children --encoding --expand-tabs --no-expand-tabs --relative-date --mailmap --use-mailmap --no-mailmap --left-right --log-size --show-linear-break".split(
    " ",
  ),
])
