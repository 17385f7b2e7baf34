import { type Argument, type Findings, literal, names, quoted, unknown } from "./findings.js"

/** `find`: where it looks, what it runs on what it finds, and what it writes. */
export function find(words: readonly Argument[], findings: Findings): void {
  let next = 0
  while (isLeadingOption(words[next])) next++
  const roots: Argument[] = []
  for (let word = words[next]; word && !startsExpression(word); word = words[++next]) {
    if (word.kind === "unknown" && word.shape !== "no option") {
      findings.steered(`${quoted(word.text)} could turn out to be an action`)
    }
    if (word.kind === "names" && word.loose)
      findings.steered(`a name that ${quoted(word.text)} finds could pass for an action`)
    roots.push(word)
  }
  if (roots.length === 0) roots.push(literal("."))
  for (const root of roots) findings.read(root)
  while (next < words.length) next = readPrimary(words, next, roots, findings)
}

function readPrimary(words: readonly Argument[], at: number, roots: readonly Argument[], findings: Findings): number {
  const word = words[at]!
  if (word.kind !== "literal") {
    findings.steered(`${quoted(word.text)} could turn out to be an action`)
    return at + 1
  }
  const { text } = word
  if (alone.has(text)) return at + 1
  if (withValue.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) return skipValue(words, at, findings)
  if (text === "-delete") {
    for (const root of roots) findings.delete(root)
    findings.opaque("which files it deletes cannot be known before it runs")
    return at + 1
  }
  if (runs.has(text)) return readRun(words, at, roots, findings)
  const written = writes.get(text)
  if (written !== undefined) {
    findings.write(words[at + 1] ?? unknown("nothing"))
    return at + 1 + written
  }
  findings.steered(`it is not known what "${text}" does`)
  return at + 1
}

function skipValue(words: readonly Argument[], at: number, findings: Findings): number {
  const value = words[at + 1]
  if (value && (value.kind === "names" || (value.kind === "unknown" && value.shape === "any"))) {
    findings.steered(`${quoted(value.text)} could turn out to be an action`)
  }
  return at + 2
}

/** The command up to `;` or `+`, once for every place that is searched: what is found is below it. */
function readRun(words: readonly Argument[], at: number, roots: readonly Argument[], findings: Findings): number {
  let end = at + 1
  while (end < words.length && !isEnd(words, end)) end++
  const command = words.slice(at + 1, end)
  if (!command.every((word) => word.kind === "literal")) findings.steerable = true
  const folder = words[at]!.text.endsWith("dir") // -execdir runs in the folder of each file
  for (const root of roots) {
    const found =
      !folder && root.kind === "literal" ? names(`${root.text}/*`, below(root.text)) : unknown("{}", "no option")
    findings.nested.push({ kind: "words", words: command.map((word) => placed(word, found)) })
  }
  return end + 1
}

function below(root: string): string {
  return root.endsWith("/") ? root : `${root}/`
}

function placed(word: Argument, found: Argument): Argument {
  if (word.kind !== "literal" || !word.text.includes("{}")) return word
  return word.text === "{}" ? found : unknown(word.text, word.text.startsWith("{}") ? "one word" : "no option")
}

function isEnd(words: readonly Argument[], at: number): boolean {
  const { kind, text } = words[at]!
  if (kind !== "literal") return false
  return text === ";" || (text === "+" && words[at - 1]?.text === "{}")
}

function isLeadingOption(word: Argument | undefined): boolean {
  return word?.kind === "literal" && /^-(?:[HLP]|O\d)$/.test(word.text)
}

function startsExpression(word: Argument): boolean {
  return word.kind === "literal" && (/^-./.test(word.text) || /^[(),!]$/.test(word.text))
}

const alone = new Set(
  "-print -print0 -ls -prune -quit -depth -d -mount -xdev -follow -daystart -empty -true -false -readable -writable -executable -nouser -nogroup -not -a -and -o -or ( ) ! , -nowarn -warn -ignore_readdir_race -noignore_readdir_race -noleaf".split(
    " ",
  ),
)
const withValue = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -user -group -uid -gid -perm -links -inum -samefile -maxdepth -mindepth -printf -lname -ilname -used -fstype".split(
    " ",
  ),
)
const runs = new Set(["-exec", "-execdir", "-ok", "-okdir"])
// How many words follow.
const writes: ReadonlyMap<string, number> = new Map([
  ["-fprint", 1],
  ["-fprint0", 1],
  ["-fls", 1],
  ["-fprintf", 2],
])
