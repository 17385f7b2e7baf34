import {
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  parse,
  type Redirected,
  type Script,
  type Statement,
  type Word,
  type WordPart,
} from "unbash"
import type { CommandContext, CommandPartAnalysis } from "../command-analysis.js"
import type { Argument } from "../program/findings.js"

/** The steps of a walk that call one another in a circle, as the syntax does. */
export interface Visit {
  script(walk: Walk, scope: Scope, script: Script): void
  statements(walk: Walk, scope: Scope, statements: readonly Statement[]): void
  command(walk: Walk, scope: Scope, node: CommandNode): void
  compound(walk: Walk, scope: Scope, node: Exclude<CommandNode, { type: "Command" }> | CompoundList): void
  word(walk: Walk, scope: Scope, word: Word): readonly Argument[]
  parts(walk: Walk, scope: Scope, parts: readonly WordPart[] | undefined): void
}

/** One analysis while it runs: what it knows of the place, and the parts found so far. */
export interface Walk {
  readonly context: CommandContext
  readonly visit: Visit
  readonly parts: CommandPartAnalysis[]
  /** The line is read in a worker, where it may take long. */
  readonly isApart: boolean
  /** Where the text could not be followed; one reason is enough. */
  trouble: string | undefined
  pipelines: number
  /** Commands, branches and rounds of loops that were looked at. */
  steps: number
  /** Words that were looked at. */
  words: number
  /** Characters of all texts that were read. */
  characters: number
}

/** Starts an analysis. */
export function startWalk(context: CommandContext, visit: Visit, isApart: boolean): Walk {
  return { context, visit, isApart, parts: [], trouble: undefined, pipelines: 0, steps: 0, words: 0, characters: 0 }
}

/** Thrown when a line holds more than can be judged; the caller adds an opaque part. */
export class TooMuch extends Error {}

// Far above what people and models write in one line; loops and nested shells reach it on purpose only.
const maxParts = 200
const maxSteps = 1000

/** Adds a part; a line with too many of them ends the analysis. */
export function addPart(walk: Walk, part: CommandPartAnalysis): void {
  takeStep(walk)
  if (walk.parts.length >= maxParts) throw new TooMuch(`it holds more than ${maxParts} commands`)
  walk.parts.push(part)
}

/** Counts one more command, branch or round of a loop; loops in loops would otherwise never end. */
export function takeStep(walk: Walk): void {
  if (walk.steps++ >= maxSteps) throw new TooMuch("its loops hold more commands than can be followed")
}

/** How many words of a command are looked at: each may be a path, whose place is asked from the disk. */
export function takeWords(walk: Walk, count: number): number {
  const taken = Math.min(count, Math.max(maxWords - walk.words, fewWords))
  walk.words += taken
  return taken
}

const maxWords = 2000
// Enough for every command to be known by the rules that are about it.
const fewWords = 8

/** A folder that a command may run in; null when it cannot be known. */
export type Place = string | null

/** A function as it was defined, with the text that its positions refer to. */
export interface ShellFunction {
  readonly body: CompoundCommand | Redirected | CompoundList
  readonly source: string
  called: boolean
}

/** The state of one shell at one point of a line. */
export interface Scope {
  /** The text that positions refer to. */
  readonly source: string
  /** The whole text of this shell, in which a variable must be set only once to be known. */
  readonly whole: string
  readonly shell: "bash" | "sh"
  /** How many shells, functions and evaluated texts deep. */
  readonly depth: number
  /** The folders that this point may be reached in; the first is the likely one. */
  places: readonly Place[]
  /** Values of variables; null for one that cannot be known. */
  readonly variables: Map<string, Argument | null>
  /** All functions of the line: which definition holds at a call is not followed. */
  readonly functions: Map<string, ShellFunction[]>
  /** Functions that are surely defined at this point, so that their names mean no program. */
  readonly certain: Set<string>
  /** `$1` and so on; undefined when they cannot be known. */
  positional: readonly Argument[] | undefined
  /** Nothing is known of variables any more: a file was sourced or an unknown text evaluated. */
  poisoned: boolean
  readonly pipeline: number | undefined
  /** Inside a substitution; `twice` in one that begins like arithmetic inside another, which bash may read twice. */
  readonly substituted: "no" | "once" | "twice"
}

/** A new shell that runs a text of its own. */
export function freshScope(text: string, options: Pick<Scope, "shell" | "depth" | "places"> & Partial<Scope>): Scope {
  return {
    source: text,
    whole: text,
    variables: new Map(),
    functions: new Map(),
    certain: new Set(),
    positional: undefined,
    poisoned: false,
    pipeline: undefined,
    substituted: "no",
    ...options,
  }
}

/** A subshell: it starts with this state and its changes are lost. */
export function subshell(scope: Scope, changes: Partial<Scope> = unchanged): Scope {
  // Written out field by field: a spread of both takes a tenth of the time of a whole analysis.
  return {
    source: changes.source ?? scope.source,
    whole: changes.whole ?? scope.whole,
    shell: changes.shell ?? scope.shell,
    depth: changes.depth ?? scope.depth,
    places: changes.places ?? scope.places,
    variables: changes.variables ?? (scope.variables.size === 0 ? new Map() : new Map(scope.variables)),
    functions: changes.functions ?? scope.functions,
    certain: changes.certain ?? (scope.certain.size === 0 ? new Set() : new Set(scope.certain)),
    positional: "positional" in changes ? changes.positional : scope.positional,
    poisoned: changes.poisoned ?? scope.poisoned,
    pipeline: "pipeline" in changes ? changes.pipeline : scope.pipeline,
    substituted: changes.substituted ?? scope.substituted,
  }
}

const unchanged: Partial<Scope> = {}

/** Takes over what a piece of the line that may or may not run has left behind. */
export function mergeMaybe(scope: Scope, inner: Scope): void {
  scope.places = unite(scope.places, inner.places)
  for (const [name, value] of inner.variables) {
    if (scope.variables.get(name) !== value) scope.variables.set(name, null)
  }
  scope.poisoned ||= inner.poisoned
}

/** All places of both lists; more than a few count as unknown. */
export function unite(left: readonly Place[], right: readonly Place[]): readonly Place[] {
  if (left === right) return left
  const all = [...left]
  for (const place of right) if (!all.includes(place)) all.push(place)
  return all.length > maxPlaces ? [all[0]!, null] : all
}

const maxPlaces = 4

/** After this, nothing is known of variables and the folder. */
export function poison(scope: Scope): void {
  scope.poisoned = true
  scope.places = [null]
}

/**
 * The syntax of a text for a shell. Variables make a long text out of a short line, the same text can be evaluated again
 * and again, and words of an `exec` are not measured before: where the line itself was not sent to a worker, such texts
 * would hold up the event loop.
 */
export function parseText(walk: Walk, text: string): ReturnType<typeof parse> {
  walk.characters += text.length
  if (!walk.isApart && (walk.characters > maxCharacters || needsWorker(text)))
    throw new TooMuch("the text that it runs is too long to be followed")
  return parse(text)
}

// Four times the longest line.
const maxCharacters = 16_384

/** Walks the whole text of a shell. */
export function runScript(walk: Walk, scope: Scope): void {
  walk.visit.script(walk, scope, parseText(walk, scope.source))
  // What was never called may be called in a way that is not seen, so its body counts by itself.
  for (const definitions of scope.functions.values()) {
    for (const definition of definitions) {
      if (!definition.called) {
        walk.visit.compound(
          walk,
          subshell(scope, { source: definition.source, positional: undefined }),
          definition.body,
        )
      }
    }
  }
}

/** Whether a text is so long, or nests so much, that reading it could hold up the event loop. */
export function needsWorker(text: string): boolean {
  if (text.length > maxLength || nestsDeeply(text)) return true
  return openers.some((opener) => occursOften(opener, text))
}

const maxLength = 4096
// The parser needs the square of their number.
const openers = ["{", "(", "`", "$["]
const maxOpeners = 64
const maxNested = 16

function occursOften(opener: string, text: string): boolean {
  let count = 0
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++count > maxOpeners) return true
  return false
}

/**
 * How deep parentheses are in one another, whatever they mean; a backquote inside another one is escaped. The parenthesis
 * behind a pattern of `case` closes nothing, so that substitutions are counted as well, nested or not.
 */
function nestsDeeply(text: string): boolean {
  let depth = 0
  let substitutions = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    const before = text[at - 1]
    if (letter === "(" && ++depth > maxNested) return true
    if (letter === ")" && depth > 0) depth--
    if (letter === "(" && (before === "$" || before === "<" || before === ">")) substitutions++
    if (letter === "`" && before === "\\") substitutions++
    if (substitutions > 2 * maxNested) return true
  }
  return false
}
