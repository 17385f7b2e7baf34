import type { CompoundCommand, CompoundList, Redirected } from "unbash"
import type { Argument } from "../argument.js"

/** A folder that a command may run in; null when it cannot be told. */
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
  /** Values of variables; null for one that cannot be told. */
  readonly variables: Map<string, Argument | null>
  /** All functions of the line: which definition holds at a call is not followed. */
  readonly functions: Map<string, ShellFunction[]>
  /** Functions that are surely defined at this point, so that their names mean no program. */
  readonly certain: Set<string>
  /** `$1` and so on; undefined when they cannot be told. */
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
