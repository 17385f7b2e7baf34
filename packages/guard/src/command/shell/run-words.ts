import { type Argument, quoted } from "../argument.js"
import { Findings, type NestedCommand } from "../program/findings.js"
import { knownProgram, programName } from "../program/known-programs.js"
import { applyProgram } from "../program/program.js"
import { lookThrough } from "../wrapper/look-through.js"
import { runningPrograms } from "../wrapper/running-programs.js"
import { shellWrappers } from "../wrapper/transparent-wrappers.js"
import { changeFolder } from "./change-folder.js"
import { finishPart } from "./finish-part.js"
import { readAssignmentText } from "./read-assignment.js"
import { runScript } from "./run-script.js"
import { freshScope, mergeMaybe, type Scope, subshell, unite } from "./scope.js"
import { shellWords } from "./shell-words.js"
import { TooMuch, takeWords, type Walk } from "./walk.js"
import type { Outcome } from "./walk-script.js"
import type { PreparedCommand } from "./walk-simple-command.js"

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
    findings.steered(`which program ${quoted(first?.text ?? "")} is cannot be told before it runs`)
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
