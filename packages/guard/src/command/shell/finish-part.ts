import { joinPath } from "../../path/join-path.js"
import type { Argument } from "../argument.js"
import type { CommandPartAnalysis } from "../command-analysis.js"
import type { Findings } from "../program/findings.js"
import { recipeOfCommand } from "../recipe/recipe-of.js"
import type { Redirected } from "./read-redirections.js"
import type { Place, Scope } from "./scope.js"
import { addPart, type Walk } from "./walk.js"

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
  const why = findings.why ?? (lost ? "the folder that it runs in cannot be told before it runs" : undefined)
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
  const recipe =
    unresolved.length === 0 && start != null && elsewhere.length === 0 ? recipeOfCommand(argv, start) : undefined
  if (recipe) part.recipe = recipe
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
