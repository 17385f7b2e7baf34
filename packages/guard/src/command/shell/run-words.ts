import { joinPath } from "../../path.js"
import type { Outcome, PreparedCommand } from "../analyze-bash.js"
import type { CommandPartAnalysis } from "../command-analysis.js"
import { type Argument, Findings, type NestedCommand, quoted } from "../program/findings.js"
import { knownProgram, lookThrough, programName, shellWrappers } from "../program/known-programs.js"
import { applyProgram } from "../program/program.js"
import { runningPrograms } from "../program/running-programs.js"
import { scriptOfCommand } from "../script/script-of.js"
import { readAssignmentText } from "./read-assignment.js"
import type { Redirected } from "./read-redirections.js"
import { changeFolder, shellWords } from "./shell-words.js"
import {
  addPart,
  freshScope,
  mergeMaybe,
  type Place,
  runScript,
  type Scope,
  subshell,
  TooMuch,
  takeWords,
  unite,
  type Walk,
} from "./walk.js"

/** Finds out what the words of a command do, adds its part, and then those of the commands that it runs. */
export function runWords(
  walk: Walk,
  scope: Scope,
  command: PreparedCommand,
  declared: ReadonlyMap<string, Argument | null> = noVariables,
): Outcome {
  const { findings } = command
  const looked = takeWords(walk, command.words.length)
  if (looked < command.words.length) findings.steered("it has more words than can be looked at")
  const through = lookThrough(command.words.slice(0, looked), findings)
  for (const assignment of through.assignments) {
    if (!readAssignmentText(assignment, findings)) findings.steered(`it is not known what "${assignment}" sets`)
  }
  const inner = through.folder ? subshell(scope, { places: placesOf(walk, scope, through.folder) }) : scope
  const startsIn = inner.places
  const [first] = through.words
  const name = first?.kind === "literal" ? first.text : undefined
  const direct = through.wrappers.every((wrapper) => shellWrappers.has(wrapper))
  let outcome: Outcome | undefined
  let isFunction = false
  if (name === undefined)
    findings.steered(`which program ${quoted(first?.text ?? "")} is cannot be known before it runs`)
  else if (!through.ended) {
    isFunction = through.wrappers.length === 0 && scope.functions.has(name)
    const word = direct ? shellWords.get(name) : undefined
    if (word) outcome = word({ walk, scope, words: through.words.slice(1), findings, declared })
    else if (!(isFunction && scope.certain.has(name))) describeProgram(name, through.words.slice(1), findings)
  }
  const { text, redirected } = command
  const { words, wrappers, spellings, unclear } = through
  const assignments =
    through.assignments.length > 0 ? [...command.assignments, ...through.assignments] : command.assignments
  finishPart(walk, inner, { text, words, assignments, findings, redirected, wrappers, spellings, unclear, startsIn })
  if (isFunction) callFunction(walk, scope, name!, through.words.slice(1))
  for (const nested of findings.nested) runNested(walk, inner, nested, command.text)
  if (!outcome) return { success: scope.places, failure: scope.places }
  // A function with the name of a shell word may do something else.
  return isFunction ? { success: unite(outcome.success, scope.places), failure: outcome.failure } : outcome
}

const noVariables: ReadonlyMap<string, Argument | null> = new Map()

function describeProgram(name: string, words: readonly Argument[], findings: Findings): void {
  const plain = programName(name)
  const runner = plain !== undefined && Object.hasOwn(runningPrograms, plain) ? runningPrograms[plain] : undefined
  const program = runner ?? knownProgram(name)
  if (program) applyProgram(program, words, findings)
  else findings.runsCode(`it is not known what "${name}" does`)
}

/** The folder that `env -C` changes to. */
function placesOf(walk: Walk, scope: Scope, folder: Argument): Scope["places"] {
  if (folder.kind !== "literal") return [null]
  return scope.places.map((place) => changeFolder(walk, place, folder.text))
}

/** A function's body counts with the folder and the words of each call. */
function callFunction(walk: Walk, scope: Scope, name: string, words: readonly Argument[]): void {
  const known = words.every((word) => word.kind !== "unknown" || word.shape !== "any")
  for (const definition of scope.functions.get(name) ?? []) {
    definition.called = true
    const { body, source } = definition
    const inner = subshell(scope, { source, positional: known ? words : undefined, depth: deeper(scope) })
    walk.visit.compound(walk, inner, body)
    mergeMaybe(scope, inner)
  }
}

function runNested(walk: Walk, scope: Scope, nested: NestedCommand, text: string): void {
  if (nested.kind === "words") {
    if (nested.words.length === 0) return
    const inner = subshell(scope, { depth: deeper(scope) })
    runWords(walk, inner, {
      text: nested.words.map((word) => word.text).join(" ") || text,
      words: nested.words,
      assignments: [],
      findings: new Findings(),
      redirected: undefined,
    })
    return
  }
  const { shell, positional } = nested
  const { places, pipeline } = scope
  runScript(walk, freshScope(nested.text, { shell, depth: deeper(scope), places, pipeline, positional }))
}

const maxDepth = 6

function deeper({ depth }: Scope): number {
  if (depth >= maxDepth) throw new TooMuch("commands run one another too deep to follow")
  return depth + 1
}

/** A simple command whose words have been read. */
export interface ReadCommand {
  readonly text: string
  /** The words without wrappers. */
  readonly words: readonly Argument[]
  readonly assignments: readonly string[]
  readonly findings: Findings
  readonly redirected: Redirected | undefined
  readonly wrappers?: readonly string[]
  readonly spellings?: readonly (readonly string[])[]
  readonly unclear?: boolean
  /** Where it is when it starts; what it runs may leave the shell anywhere. */
  readonly startsIn?: readonly Place[]
}

/** Adds the part of a command: its paths as they are meant in every folder that it may run in. */
export function finishPart(walk: Walk, scope: Scope, command: ReadCommand): void {
  const { text, words, assignments, findings, redirected } = command
  const [place] = scope.places
  const [start, ...elsewhere] = command.startsIn ?? scope.places
  const reads = inEveryPlace(joined(findings.reads, redirected?.reads), scope)
  const writes = inEveryPlace(joined(findings.writes, redirected?.writes), scope)
  const deletes = inEveryPlace(findings.deletes, scope)
  const lost =
    scope.places.includes(null) && (reads.some(isRelative) || writes.some(isRelative) || deletes.some(isRelative))
  const why = findings.why ?? (lost ? "the folder that it runs in cannot be known before it runs" : undefined)
  const argv = words.map((word) => word.text)
  const unresolved = words.every(isResolved) ? none : words.filter((word) => !isResolved(word)).map((word) => word.text)
  // Written out field by field: most of a line's analysis is spent on making its parts.
  const part: Writable<CommandPartAnalysis> = {
    text,
    argv,
    assignments,
    reads,
    writes,
    deletes,
    hosts: findings.hosts,
    directory: place ?? start ?? lastKnown(scope, walk),
    unresolved,
    opaque: why !== undefined,
    wrappers: command.wrappers ?? none,
    readOnly: findings.readOnly && why === undefined,
    plain: words.length > 0 && assignments.length === 0 && unresolved.length === 0 && redirected === undefined,
  }
  if (why !== undefined) part.why = why
  if (findings.runs !== "nothing") part.runs = findings.runs
  if (findings.program !== undefined) part.program = findings.program + 1
  if (command.spellings && command.spellings.length > 0) part.spellings = command.spellings
  if (command.unclear === true) part.unclearWrappers = true
  if (findings.readings.length > 0) part.readings = findings.readings
  if (redirected) {
    part.redirected = { reads: inEveryPlace(redirected.reads, scope), writes: inEveryPlace(redirected.writes, scope) }
  }
  if (findings.gitContent) part.gitContent = { ...findings.gitContent, folders: foldersOf(findings.gitFolder, scope) }
  if (findings.repository !== undefined) part.repositories = inEveryPlace([findings.repository], scope)
  if (scope.pipeline !== undefined) part.pipeline = scope.pipeline
  const script =
    unresolved.length === 0 && start != null && elsewhere.length === 0 ? scriptOfCommand(argv, start) : undefined
  if (script) part.script = script
  addPart(walk, part)
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

const none: readonly string[] = []

/** Names that a wildcard finds are names, whichever they are. */
function isResolved({ kind }: Argument): boolean {
  return kind === "literal" || kind === "names"
}

function foldersOf(folder: string, { places }: Scope): readonly string[] {
  return places.flatMap((place) => (place === null ? [] : [joinPath(place, folder)]))
}

function joined(paths: readonly string[], more: readonly string[] | undefined): readonly string[] {
  return more === undefined || more.length === 0 ? paths : [...paths, ...more]
}

/** A relative path means another file in every folder that the command may run in. */
function inEveryPlace(paths: readonly string[], { places }: Scope): readonly string[] {
  const unique = eachOnce(paths)
  if (places.length < 2) return unique
  const others = places.slice(1).filter((place) => place !== null)
  return [...unique, ...others.flatMap((place) => unique.filter(isRelative).map((path) => inPlace(place, path)))]
}

// A few are compared more quickly than a set of them is made.
const few = 16

function eachOnce(paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths
  return paths.length > few ? [...new Set(paths)] : paths.filter((path, index) => paths.indexOf(path) === index)
}

/** A step upwards is left as it is: where it leads depends on links. */
function inPlace(place: string, path: string): string {
  return path.includes("..") ? `${place}/${path}` : joinPath(place, path)
}

function isRelative(path: string): boolean {
  return !path.startsWith("/")
}

function lastKnown({ places }: Scope, { context, parts }: Walk): string {
  return places.find((place) => place !== null) ?? parts.at(-1)?.directory ?? context.directory
}
