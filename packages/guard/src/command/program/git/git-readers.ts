import type { Argument, Findings } from "../findings.js"
import { behindFirst, type ReadProgram } from "../program.js"
import { hasOption, type ReadArguments, readArguments } from "../read-arguments.js"
import { changeWorktree } from "./change-worktree.js"
import {
  anyContent,
  archiveContent,
  diffContent,
  grepContent,
  logContent,
  loggedContent,
  namedContent,
  objectContent,
  showContent,
  statusContent,
} from "./git-content.js"

// Not here: --output writes, --ext-diff runs a program, -O and --no-index read any file.
const diffOptions =
  "pusRabwWzqt D UMCBlX? SG= --patch --no-patch --unified? --raw --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --color? --no-color --color-words? --word-diff? --minimal --patience --histogram --diff-algorithm= --find-renames? --find-copies? --no-renames --diff-filter= --check --full-index --binary --abbrev? --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --function-context --exit-code --quiet --relative? --text --src-prefix= --dst-prefix= --no-prefix --no-ext-diff --no-textconv --submodule? --cached --staged --merge-base --inter-hunk-context= --pickaxe-all --pickaxe-regex --patch-with-stat --compact-summary --cc --find-copies-harder --irreversible-delete --ita-invisible-in-index --no-indent-heuristic --indent-heuristic cm"
const logOptions = `${diffOptions} igEFP nL= cm --oneline --graph --all --branches? --tags? --remotes? --decorate? --no-decorate --pretty? --format= --date= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep --regexp-ignore-case --max-count= --skip= --merges --no-merges --first-parent --follow --reverse --topo-order --date-order --author-date-order --left-right --cherry-pick --cherry-mark --cherry --ancestry-path? --boundary --walk-reflogs --simplify-by-decoration --full-history --abbrev-commit --no-abbrev-commit --no-pager --show-signature --notes? --no-notes --source --reflog --not --glob= --exclude= --stdin --count --objects --parents --children --no-walk? --min-parents= --max-parents= --show-linear-break? --dense --sparse --simplify-merges --remove-empty --left-only --right-only --log-size --extended-regexp --fixed-strings --perl-regexp --encoding= --expand-tabs? --no-expand-tabs --relative-date --mailmap --use-mailmap --no-mailmap`

/** git commands that change nothing, with the options that keep it so. */
export const gitReaders: Readonly<Record<string, ReadProgram>> = {
  status: quiet(
    "bsuvz --short --branch --porcelain? --long --show-stash --untracked-files? --ignored? --no-renames --find-renames? --column? --no-column --ahead-behind --no-ahead-behind --ignore-submodules? --verbose --null u?",
    statusContent,
  ),
  log: quiet(logOptions, logContent),
  whatchanged: quiet(logOptions, logContent),
  shortlog: quiet(`${logOptions} en --summary --numbered --email --group= --committer`),
  reflog: (words, findings) => {
    const [first] = words
    if (first && !/^(?:show|-.*|HEAD.*|exists)$/.test(first.text))
      findings.repositoryChange(`git reflog ${first.text} may change the repository`)
    else quiet(logOptions, loggedContent)(words, findings)
  },
  show: quiet(logOptions, showContent),
  diff: quiet(diffOptions, (read, words, findings) => {
    diffContent(read, words, findings)
    // Without a repository, or with one path outside of it, it compares any two files.
    for (const operand of read.operands) findings.read(operand)
  }),
  "diff-tree": quiet(`${logOptions} --root r`, anyContent),
  "diff-index": quiet(diffOptions, anyContent),
  "diff-files": quiet(diffOptions, diffContent),
  "range-diff": quiet(`${diffOptions} --creation-factor= --no-dual-color --left-only --right-only`, anyContent),
  blame: quiet(
    "bcefklnpstw L= S< MC? --root --show-stats --porcelain --line-porcelain --incremental --date= --since= --abbrev? --color-lines --color-by-age --ignore-rev= --first-parent --show-email --show-name --show-number --reverse?",
    namedContent,
  ),
  archive: quiet("v o> --format= --prefix= --output> --list --verbose --worktree-attributes", archiveContent),
  annotate: quiet("", namedContent),
  grep: quiet(
    "aEFGHIPchilLnopqvwWz ABCemf= --and --or --not --all-match --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --files-without-match --name-only --count --color? --no-color --break --heading --show-function --function-context --context= --after-context= --before-context= --max-depth= --recursive --no-recursive --cached --untracked --no-exclude-standard --exclude-standard --quiet --threads= --only-matching --max-count= --full-name --null --text r",
    (read, words, findings) => {
      grepContent(read, words, findings)
      if (hasOption(read, "-f")) findings.opaque("it reads patterns from a file")
      if (hasOption(read, "--untracked")) for (const file of behindFirst(read.operands)) findings.read(file)
    },
  ),
  "cat-file": quiet(
    "etps --batch? --batch-check? --batch-all-objects --textconv --unordered --buffer --follow-symlinks",
    objectContent,
  ),
  "ls-files": quiet(
    "cdmoistukvfz x= --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --exclude= --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev? --eol --deduplicate --format= --with-tree=",
  ),
  "ls-tree": quiet("drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --format="),
  "rev-parse": quiet(
    "q --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --git-path= --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --default= --revs-only --no-revs --flags --no-flags --not --path-format= --show-object-format? --quiet --prefix=",
  ),
  "rev-list": quiet(
    `${logOptions} --use-bitmap-index --disk-usage? --timestamp --header --no-object-names --objects-edge --unpacked`,
  ),
  describe: quiet(
    "--all --tags --contains --abbrev? --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty? --broken?",
  ),
  "name-rev": quiet("--tags --refs= --exclude= --all --name-only --no-undefined --always"),
  "merge-base": quiet("a --all --octopus --independent --is-ancestor --fork-point"),
  "merge-tree": (_words, findings) => findings.repositoryChange("it writes objects"),
  "show-ref": quiet("dhqs --head --heads --tags --branches --dereference --hash? --abbrev? --verify --quiet --exists"),
  "for-each-ref": quiet(
    "spt --count= --sort= --format= --color? --shell --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --include-root-refs",
  ),
  "count-objects": quiet("vH --verbose --human-readable"),
  "check-ignore": quiet("qvnz --quiet --verbose --stdin --non-matching --no-index"),
  "check-attr": quiet("az --all --cached --stdin"),
  "check-ref-format": quiet("--branch --normalize --allow-onelevel"),
  cherry: quiet("v --abbrev?"),
  var: quiet("l"),
  version: quiet("--build-options"),
  branch: listOnly(
    "arvqil --all --remotes --list --show-current --verbose --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --color? --no-color --column? --no-column --abbrev? --no-abbrev --ignore-case",
    ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged"],
  ),
  tag: listOnly(
    "li n? --list --sort= --format= --contains? --no-contains? --merged? --no-merged? --points-at= --column? --no-column --color? --ignore-case",
    ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "-n"],
  ),
  remote: subcommands({ "": "v --verbose", "get-url": "--all --push" }),
  worktree: subcommands({ list: "vz --porcelain --verbose" }, { changing: changeWorktree }),
  stash: subcommands({ list: logOptions, show: diffOptions }, { inspect: { list: loggedContent, show: anyContent } }),
  notes: subcommands({ "": "", list: "", show: "" }),
  submodule: subcommands({ "": "", status: "--cached --recursive" }),
  config: (words, findings) => {
    const read = readArguments(
      words,
      {
        options:
          "lz --get --get-all --get-regexp --get-urlmatch --list --local --global --system --worktree --show-origin --show-scope --name-only --null --type= --bool --int --path --default= --includes --no-includes --all --regexp --value= --fixed-value",
        careful: true,
      },
      findings,
    )
    const verb = read.operands[0]?.text
    const asks =
      verb === "get" ||
      verb === "list" ||
      hasOption(read, "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l")
    // A name alone is asked for; a wildcard may find a name and a value, and a word without a dot is a command: `edit`.
    const [name, ...more] = read.operands
    const isName = name?.kind === "literal" && name.text.includes(".") && more.length === 0
    if (!asks && !isName) findings.steered("it changes git's configuration")
  },
}

type Inspect = (read: ReadArguments, words: readonly Argument[], findings: Findings) => void

function quiet(options: string, inspect?: Inspect): ReadProgram {
  return (words, findings) => {
    const read = readArguments(words, { options, numbers: true, careful: true }, findings)
    inspect?.(read, words, findings)
  }
}

/** Listing takes patterns as operands only when an option says that it lists. */
function listOnly(options: string, listing: readonly string[]): ReadProgram {
  return quiet(options, (read, _words, findings) => {
    if (read.operands.length > 0 && !hasOption(read, ...listing))
      findings.repositoryChange("it changes branches or tags")
  })
}

function subcommands(
  known: Readonly<Record<string, string>>,
  {
    inspect = {},
    changing,
  }: { readonly inspect?: Readonly<Record<string, Inspect>>; readonly changing?: ReadProgram } = {},
): ReadProgram {
  return (words, findings) => {
    const [first, ...rest] = words
    const named = first?.kind === "literal" && !first.text.startsWith("-") ? first.text : undefined
    const options = Object.hasOwn(known, named ?? "") ? known[named ?? ""] : undefined
    if (options === undefined) {
      findings.repositoryChange("it may change the repository")
      // `git submodule foreach` runs what follows it.
      findings.steerable = true
      return changing?.(words, findings)
    }
    const read = readArguments(named === undefined ? words : rest, { options, numbers: true, careful: true }, findings)
    inspect[named ?? ""]?.(read, rest, findings)
    if (named === undefined && read.operands.length > 0) findings.repositoryChange("it may change the repository")
  }
}
