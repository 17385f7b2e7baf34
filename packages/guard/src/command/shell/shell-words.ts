import { joinPath } from "../../path.js"
import type { Outcome } from "../analyze-bash.js"
import { type Argument, type Findings, literal, mayBeOption, quoted } from "../program/findings.js"
import { readArguments } from "../program/read-arguments.js"
import { readAssignmentText } from "./read-assignment.js"
import { countMentions, isDangerousVariable } from "./variable-value.js"
import { type Place, parseText, poison, type Scope, subshell, type Walk } from "./walk.js"

/** A word of the shell that changes the shell's own state. */
interface ShellWord {
  readonly walk: Walk
  readonly scope: Scope
  readonly words: readonly Argument[]
  readonly findings: Findings
  /** Assignments among its words, as the parser read them. */
  readonly declared: ReadonlyMap<string, Argument | null>
}

type ReadShellWord = (command: ShellWord) => Outcome | undefined

/** The words of bash that change variables, the folder, options, or run texts. */
export const shellWords: ReadonlyMap<string, ReadShellWord> = new Map<string, ReadShellWord>([
  ["cd", ({ walk, scope, words }) => changeDirectory(walk, scope, words)],
  ["pushd", ({ walk, scope, words }) => changeDirectory(walk, scope, words.length > 0 ? words : [unknownPlace])],
  ["popd", ({ walk, scope }) => changeDirectory(walk, scope, [unknownPlace])],
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["eval", evaluate],
  ["source", source],
  [".", source],
  ["set", set],
  ["shopt", shopt],
  ["unset", (command) => setNames(command, "fnv")],
  ["read", (command) => setNames(command, "ers adinNptu=")],
  ["mapfile", (command) => setNames(command, "t dnOsu=")],
  ["readarray", (command) => setNames(command, "t dnOsu=")],
  ["trap", trap],
  ["let", ({ findings }) => void findings.steered("bash evaluates its words")],
  ["alias", ({ words, findings }) => void (words.length > 0 && findings.steered("it gives names another meaning"))],
])

const unknownPlace: Argument = { kind: "unknown", text: "the folder on the stack", shape: "no option" }

// Not here: -l and -u change the value, -f hands functions on, -n and -i make bash evaluate it.
function declare({ scope, words, findings, declared }: ShellWord): undefined {
  const { operands, options } = readArguments(words, { options: "aAFgGprtxI" }, findings)
  const lists = options.has("-a") || options.has("-A")
  for (const word of operands) {
    const read = word.kind === "literal" ? readAssignmentText(word.text, findings) : undefined
    const known = read?.name ?? /^([A-Za-z_]\w*)\+?=/.exec(word.text)?.[1]
    if (known === undefined || (word.kind !== "literal" && !declared.has(known))) {
      findings.steered(`which variable ${quoted(word.text)} sets cannot be known before it runs`)
    } else if (mayBeList(scope, word, known, lists)) {
      findings.steered(`bash expands what is in the parentheses of ${quoted(word.text)}`)
    } else scope.variables.set(known, declared.get(known) ?? (word.kind === "literal" ? (read?.value ?? null) : null))
  }
}

/** Given as a text, `(...)` is still taken for a list and expanded once more where the variable is one. */
function mayBeList({ whole }: Scope, word: Argument, name: string, lists: boolean): boolean {
  const value = word.text.slice(word.text.indexOf("=") + 1)
  // Written as a list by itself, it was read as one already.
  if (word.kind === "literal" ? !value.startsWith("(") : value.startsWith("(") || !word.text.includes("=")) return false
  if (lists || word.kind === "literal" || listMaker.test(whole)) return true
  return new RegExp(`(?<!\\w)${name}(?:\\[|\\+?=\\()`).test(whole)
}

const listMaker = /\b(?:declare|typeset|local|readonly|export|read)\s+-\w*[aA]|\b(?:mapfile|readarray|coproc)\b/

/** A literal text is read like the line; anything else could do anything. */
function evaluate({ walk, scope, words, findings }: ShellWord): undefined {
  if (words.every((word) => word.kind === "literal") && scope.depth < maxDepth) {
    const text = words.map((word) => word.text).join(" ")
    const inner: Scope = { ...scope, source: text, whole: `${scope.whole}\n${text}`, depth: scope.depth + 1 }
    walk.visit.script(walk, inner, parseText(walk, text))
    scope.places = inner.places
    scope.positional = inner.positional
    scope.poisoned ||= inner.poisoned
  } else {
    findings.steered("the text that it runs cannot be known before it runs")
    poison(scope)
  }
}

const maxDepth = 6

function source({ scope, words, findings }: ShellWord): undefined {
  // A pipe, a stream and a word that is not known can hold any text.
  if (words[0]?.kind === "literal" && !words[0].text.startsWith("/dev/"))
    findings.runsCode("it runs a file in this shell")
  else findings.steered("it runs text from its input in this shell")
  if (words[0]) findings.read(words[0])
  poison(scope)
}

function set({ scope, words, findings }: ShellWord): undefined {
  for (let next = 0; next < words.length; next++) {
    const word = words[next]!
    if (word.kind === "literal" && /^[-+][euxvfC]*o$/.test(word.text)) {
      const option = words[++next]?.text ?? ""
      if (!/^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber)$/.test(option)) {
        findings.opaque(`it is not known what the option "${option}" does`)
      }
    } else if (word.kind !== "literal" || !/^[-+][euxvfC]+$/.test(word.text)) {
      if (mayBeOption(word) && word.text !== "--")
        findings.opaque(`it is not known what the option ${quoted(word.text)} does`)
      scope.positional = undefined
      break
    }
  }
}

const quietOptions = new Set([
  "nullglob",
  "globstar",
  "dotglob",
  "failglob",
  "extglob",
  "nocaseglob",
  "nocasematch",
  "pipefail",
])

function shopt({ words, findings }: ShellWord): undefined {
  const { operands } = readArguments(words, { options: "supqo" }, findings)
  const odd = operands.find((word) => word.kind !== "literal" || !quietOptions.has(word.text))
  if (odd) findings.opaque(`it is not known what the option "${odd.text}" does`)
}

/** The words are names of variables; bash evaluates the subscript of a name. */
function setNames({ scope, words, findings }: ShellWord, options: string): undefined {
  const { operands, given } = readArguments(words, { options, careful: true }, findings)
  const arrays = given.filter(({ option }) => option === "-a").map(({ value }) => value)
  for (const word of [...operands, ...arrays]) {
    if (word.kind !== "literal" || !/^[A-Za-z_]\w*$/.test(word.text))
      findings.steered(`bash evaluates the name ${quoted(word.text)}`)
    else if (isDangerousVariable(word.text)) findings.runsCode(`the variable ${word.text} decides what programs do`)
    else {
      scope.variables.set(word.text, null)
      scope.certain.delete(word.text)
    }
  }
}

/** The text of a handler runs later, in this shell. */
function trap({ walk, scope, words, findings }: ShellWord): undefined {
  const [handler, ...signals] = words.filter((word) => word.text !== "--")
  if (!handler || signals.length === 0 || handler.text === "-" || handler.text === "") return
  if (handler.kind !== "literal") findings.steered("the text that it runs cannot be known before it runs")
  else {
    // By then the shell may be anywhere.
    const places = [...scope.places, null]
    walk.visit.script(
      walk,
      subshell(scope, { source: handler.text, places, pipeline: undefined }),
      parseText(walk, handler.text),
    )
  }
}

/** `cd`: where the shell is if it succeeds; if it fails, it stays. */
function changeDirectory(walk: Walk, scope: Scope, words: readonly Argument[]): Outcome {
  const operands = words.filter((word) => word.kind !== "literal" || !/^(?:-[LPe@]+|--)$/.test(word.text))
  const target = operands[0] ?? literal(walk.context.home)
  const known =
    target.kind === "literal" &&
    operands.length < 2 &&
    // The shell then goes on with the path behind links, which is not known here.
    !words.some((word) => word.kind === "literal" && /^-[LPe@]*P/.test(word.text)) &&
    !/^(?:-|[-+]\d+)$/.test(target.text) &&
    target.text !== "" &&
    countMentions(scope.whole, "CDPATH") === 0 &&
    (operands.length > 0 || countMentions(scope.whole, "HOME") === 0)
  const success = known ? scope.places.map((place) => changeFolder(walk, place, target.text)) : [null]
  return { success: [...new Set(success)], failure: scope.places }
}

/** Where a path leads from a place. */
export function changeFolder(walk: Walk, place: Place, path: string): Place {
  if (place === null) return path.startsWith("/") ? (walk.context.resolve?.(path, "/") ?? joinPath("/", path)) : null
  return walk.context.resolve?.(path, place) ?? joinPath(place, path)
}
