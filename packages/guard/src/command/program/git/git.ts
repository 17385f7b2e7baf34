import { type Argument, literal, mayBeOption, quoted } from "../../argument.js"
import { joinPath } from "../../../path/join-path.js"
import type { Findings } from "../findings.js"
import { gitNetwork } from "./git-network.js"
import { gitReaders } from "./git-readers.js"
import { gitWriters } from "./git-writers.js"

/** `git`: what each of its commands reads, writes or fetches. Other commands may be aliases that run anything. */
export function git(words: readonly Argument[], findings: Findings): void {
  const { folder, rest } = skipGlobalOptions(words, findings)
  findings.read(literal(folder))
  if (rest.length < words.length) findings.readings.push(["git", ...rest.map((word) => word.text)])
  const [name, ...more] = rest
  if (name?.kind === "literal") inFolder(folder, findings, () => readCommand(name.text, more, findings))
  else if (name) findings.steered(`which git command ${quoted(name.text)} is cannot be told before it runs`)
  if (findings.changesRepository) findings.repository = folder
  findings.gitFolder = folder
}

function readCommand(name: string, words: readonly Argument[], findings: Findings): void {
  const known = readers.get(name) ?? network.get(name)
  const writer = writers.get(name)
  if (!known && writer) findings.repositoryChange(`git ${name} changes the repository`)
  else if (!known) findings.steered(`git ${name} may be an alias that runs anything`)
  const read = known ?? writer
  read?.(words, findings)
  // Their options are not read here: `git rebase --exec`, `git push --receive-pack`, and the words of `git bisect run`.
  if (!readers.has(name) && (name === "bisect" || words.some(mayBeOption))) findings.steerable = true
}

/** The files that a command names lie in the folder that `-C` leads to. */
function inFolder(folder: string, { reads, writes, deletes }: Findings, read: () => void): void {
  const lists = [reads, writes, deletes].map((list) => ({ list, start: list.length }))
  read()
  if (folder === ".") return
  for (const { list, start } of lists) list.push(...list.splice(start).map((path) => joinRelative(folder, path)))
}

const readers = new Map(Object.entries(gitReaders))
const network = new Map(Object.entries(gitNetwork))
const writers = new Map(Object.entries(gitWriters))

/** Options in front of the command. Only a folder and what cannot run anything are understood. */
function skipGlobalOptions(
  words: readonly Argument[],
  findings: Findings,
): { readonly folder: string; readonly rest: readonly Argument[] } {
  let folder = "."
  let next = 0
  for (; next < words.length; next++) {
    const word = words[next]!
    if (word.kind !== "literal" || !word.text.startsWith("-")) break
    if (word.text === "-C") {
      const given = words[++next]
      if (given?.kind === "literal") folder = folder === "." ? given.text : joinRelative(folder, given.text)
      else findings.steered("the folder of the repository cannot be told before it runs")
    } else if (!quiet.has(word.text)) {
      // -c, --exec-path, --git-dir and --work-tree decide which programs and which hooks run.
      findings.steered(`"git ${word.text}" can make git run other programs`)
      if (withValue.has(word.text)) next++
    }
  }
  return { folder, rest: words.slice(next) }
}

function joinRelative(folder: string, path: string): string {
  if (path.startsWith("/")) return path
  return folder.startsWith("/") ? joinPath(folder, path) : `${folder}/${path}`
}

const quiet = new Set([
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
  "--no-replace-objects",
  "--no-lazy-fetch",
  "--version",
  "-v",
])
const withValue = new Set([
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--config-env",
  "--super-prefix",
  "--exec-path",
])
