import { joinPath } from "../../../path.js"
import { type Argument, type Findings, literal, mayBeOption, quoted } from "../findings.js"
import { gitNetwork } from "./git-network.js"
import { gitReaders } from "./git-readers.js"
import { gitWriters } from "./git-writers.js"

/** `git`: what each of its commands reads, writes or fetches. Other commands may be aliases that run anything. */
export function git(words: readonly Argument[], findings: Findings): void {
  const { folder, rest: given, aliases } = skipGlobalOptions(words, findings)
  findings.read(literal(folder))
  const rest = expandAlias(given, aliases, findings)
  // The name may be that of a command for which git looks up no alias.
  for (const reading of rest === given ? [given] : [given, rest])
    if (reading.length < words.length) findings.readings.push(["git", ...reading.map((word) => word.text)])
  const [name, ...more] = rest
  if (name?.kind === "literal") inFolder(folder, findings, () => readCommand(name.text, more, findings))
  else if (name) findings.steered(`which git command ${quoted(name.text)} is cannot be known before it runs`)
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
  runOptions.get(name)?.(words, findings)
  // Their options are not read here, other than those that run something.
  if (!readers.has(name) && (name === "bisect" || words.some(mayBeOption))) findings.steerable = true
}

/** An alias that `-c` sets for this call: a command of git, or behind an exclamation mark a line for a shell. */
function expandAlias(
  words: readonly Argument[],
  aliases: ReadonlyMap<string, string>,
  findings: Findings,
): readonly Argument[] {
  const [name, ...rest] = words
  const meaning = name?.kind === "literal" ? aliases.get(name.text.toLowerCase()) : undefined
  if (meaning === undefined) return words
  if (!meaning.startsWith("!")) return [...meaning.split(/\s+/).filter(Boolean).map(literal), ...rest]
  findings.nested.push({ kind: "script", text: `${meaning.slice(1)} "$@"`, shell: "sh", positional: rest })
  return words
}

/** What options and words of a command run: those of the remote side, `rebase --exec`, `bisect run`, `submodule foreach`. */
const runOptions: ReadonlyMap<string, (words: readonly Argument[], findings: Findings) => void> = new Map([
  ...["clone", "fetch", "pull", "push", "ls-remote", "archive"].map(
    (name) => [name, refuseRunning(name === "clone" ? ["-u", "-c"] : [])] as const,
  ),
  ["rebase", runExec],
  [
    "bisect",
    (words, findings) => {
      if (words[0]?.text === "run") findings.nested.push({ kind: "words", words: words.slice(1) })
    },
  ],
  ["submodule", runForEach],
])

// git takes the beginning of a long option for the whole.
const runningOptions = ["--exec", "--upload-pack", "--receive-pack", "--config", "--template"]

function refuseRunning(short: readonly string[]): (words: readonly Argument[], findings: Findings) => void {
  return (words, findings) => {
    const odd = words.find(({ text }) => {
      const [name = ""] = text.split("=")
      if (name.startsWith("--")) return name.length > 2 && runningOptions.some((option) => option.startsWith(name))
      return short.some((option) => text.startsWith(option))
    })
    if (odd) findings.steered(`the option ${quoted(odd.text)} can make git run other programs`)
  }
}

function runExec(words: readonly Argument[], findings: Findings): void {
  for (const [index, word] of words.entries()) {
    const [, attached] = /^(?:--exe?c?=|-[a-wyzA-Z]*x)([\s\S]+)$/.exec(word.text) ?? []
    const text =
      attached === undefined ? (/^(?:-[a-wyzA-Z]*x|--exe?c?)$/.test(word.text) ? words[index + 1] : undefined) : word
    if (text === undefined) continue
    if (text.kind === "literal")
      findings.nested.push({ kind: "script", text: attached ?? text.text, shell: "sh", positional: [] })
    else findings.steered("the text that it runs cannot be known before it runs")
  }
}

/** One word is a line for a shell, several are the words of a command. */
function runForEach(words: readonly Argument[], findings: Findings): void {
  if (words[0]?.text !== "foreach") return
  const command = words.slice(1).filter(({ text }, index) => index > 0 || !/^(?:--recursive|-q|--quiet)$/.test(text))
  const [first, ...more] = command
  if (more.length > 0) findings.nested.push({ kind: "words", words: command })
  else if (first?.kind === "literal")
    findings.nested.push({ kind: "script", text: first.text, shell: "sh", positional: [] })
  else findings.steered("the text that it runs cannot be known before it runs")
}

/** The files that a command names are in the folder that `-C` names. */
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
): { readonly folder: string; readonly rest: readonly Argument[]; readonly aliases: ReadonlyMap<string, string> } {
  const aliases = new Map<string, string>()
  let folder = "."
  let next = 0
  for (; next < words.length; next++) {
    const word = words[next]!
    if (word.kind !== "literal" || !word.text.startsWith("-")) break
    if (word.text === "-C") {
      const given = words[++next]
      if (given?.kind === "literal") folder = folder === "." ? given.text : joinRelative(folder, given.text)
      else findings.steered("the folder of the repository cannot be known before it runs")
    } else if (!quiet.has(word.text)) {
      // -c, --exec-path, --git-dir and --work-tree decide which programs and which hooks run.
      findings.steered(`"git ${word.text}" can make git run other programs`)
      const value = withValue.has(word.text) ? words[++next]?.text : undefined
      const [, alias, meaning] = /^alias\.([^.=]+)=([\s\S]*)$/i.exec(word.text === "-c" ? (value ?? "") : "") ?? []
      if (alias !== undefined) aliases.set(alias.toLowerCase(), meaning!)
    }
  }
  return { folder, rest: words.slice(next), aliases }
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
