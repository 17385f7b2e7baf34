import type { AndOr, Command, CommandNode, Pipeline, PipelineNode, Script, Statement } from "unbash"
import type { CommandAnalysis, CommandContext } from "./command-analysis.js"
import { emptyPart, opaquePart } from "./command-analysis.js"
import { type Argument, Findings, literal, unknown } from "./program/findings.js"
import { readAssignment } from "./shell/read-assignment.js"
import { type Redirected, readRedirections } from "./shell/read-redirections.js"
import { resolveWord, walkParts } from "./shell/resolve-word.js"
import { finishPart, runWords } from "./shell/run-words.js"
import {
  addPart,
  freshScope,
  mergeMaybe,
  needsWorker,
  type Place,
  runScript,
  type Scope,
  startWalk,
  subshell,
  TooMuch,
  unite,
  type Visit,
  type Walk,
} from "./shell/walk.js"
import { walkCompound } from "./shell/walk-compound.js"

/** What a line for bash would do, command by command. Any text gives a result; what is not understood is opaque. */
export function analyzeBash(text: string, context: CommandContext): CommandAnalysis {
  return analyze(text, { context, isApart: needsWorker(text) }, (walk) => {
    const scope = freshScope(text, { shell: "bash", depth: 0, places: [context.directory] })
    runScript(walk, scope)
  })
}

/** What a program with these words would do, without a shell in between. */
export function analyzeArgv(argv: readonly string[], context: CommandContext): CommandAnalysis {
  const text = argv.join(" ")
  return analyze(text, { context, isApart: false }, (walk) => {
    const scope = freshScope("", { shell: "sh", depth: 0, places: [context.directory] })
    const words = argv.map(literal)
    const findings = new Findings()
    if (words.length === 0) addPart(walk, opaquePart(text, context.directory, "it names no program"))
    else runWords(walk, scope, { text, words, assignments: [], findings, redirected: undefined })
  })
}

interface Conditions {
  readonly context: CommandContext
  readonly isApart: boolean
}

function analyze(text: string, { context, isApart }: Conditions, run: (walk: Walk) => void): CommandAnalysis {
  const walk = startWalk(context, visit, isApart)
  try {
    run(walk)
  } catch (error) {
    walk.trouble = error instanceof TooMuch ? error.message : "its text could not be read"
  }
  if (text.includes("\0")) walk.trouble = "it holds a NUL character"
  const { parts } = walk
  if (walk.trouble !== undefined) parts.push(opaquePart(text, context.directory, walk.trouble))
  // Nothing to run is nothing to judge, but a call without parts is never allowed.
  if (parts.length === 0) parts.push(emptyPart(text, context.directory))
  const script = parts.find((part) => part.script)?.script
  return { text, parts, ...(script ? { script } : {}), parsed: walk.trouble === undefined }
}

/** The steps of a walk through a line for a shell. */
const visit: Visit = {
  script: walkScript,
  statements: walkStatements,
  command: walkCommand,
  compound: walkCompound,
  word: resolveWord,
  parts: walkParts,
}

/** Only PowerShell's own parser could tell what its text does, so all of it is one opaque part. */
export function analyzePowerShell(text: string): CommandAnalysis {
  return { text, parts: [opaquePart(text, "/", "PowerShell is not followed here")], parsed: false }
}

/** The folders after a command, when it succeeded and when it failed. */
export interface Outcome {
  readonly success: readonly Place[]
  readonly failure: readonly Place[]
}

/** Walks a parsed text: every simple command in it becomes a part. */
function walkScript(
  walk: Walk,
  scope: Scope,
  script: Script & { readonly errors?: readonly unknown[] | undefined },
): void {
  if (script.errors && script.errors.length > 0) walk.trouble ??= "its text could not be read to the end"
  walkStatements(walk, scope, script.commands)
}

/** Walks statements one after the other. */
function walkStatements(walk: Walk, scope: Scope, statements: readonly Statement[]): void {
  for (const { command, background } of statements) {
    if (background) walkNode(walk, subshell(scope), command)
    else {
      const { success, failure } = walkNode(walk, scope, command)
      scope.places = unite(success, failure)
    }
  }
}

function walkNode(walk: Walk, scope: Scope, node: AndOr | PipelineNode): Outcome {
  if (node.type === "AndOr") return walkAndOr(walk, scope, node)
  if (node.type === "Pipeline") return walkPipeline(walk, scope, node)
  return walkCommand(walk, scope, node)
}

/** What follows `&&` runs only where the left side succeeded, what follows `||` only where it failed. */
function walkAndOr(walk: Walk, scope: Scope, { commands, operators }: AndOr): Outcome {
  let outcome = walkNode(walk, scope, commands[0]!)
  for (const [index, operator] of operators.entries()) {
    const command = commands[index + 1]!
    const inner = subshell(scope, { places: operator === "&&" ? outcome.success : outcome.failure })
    if (inner.places.length === 0) inner.places = [null]
    const next = walkNode(walk, inner, command)
    const { places } = scope
    mergeMaybe(scope, inner)
    scope.places = places
    if (operator === "&&") outcome = { success: next.success, failure: unite(outcome.failure, next.failure) }
    else if (endsShell(scope, command)) outcome = { success: outcome.success, failure: [] }
    else outcome = { success: unite(outcome.success, next.success), failure: next.failure }
  }
  return outcome
}

/** Every command of a pipeline runs in a shell of its own. */
function walkPipeline(walk: Walk, scope: Scope, { commands, prefixes }: Pipeline): Outcome {
  if (commands.length === 1) {
    const { success, failure } = walkCommand(walk, scope, commands[0]!)
    const negated = prefixes.some((prefix) => prefix.type === "Negation")
    return negated ? { success: failure, failure: success } : { success, failure }
  }
  const pipeline = walk.pipelines++
  for (const command of commands) walkCommand(walk, subshell(scope, { pipeline }), command)
  return { success: scope.places, failure: scope.places }
}

/** Walks one command, simple or compound. */
function walkCommand(walk: Walk, scope: Scope, node: CommandNode): Outcome {
  if (node.type === "Command") return walkSimpleCommand(walk, scope, node)
  walkCompound(walk, scope, node)
  return { success: scope.places, failure: scope.places }
}

/** A command whose words are known as far as they can be. */
export interface PreparedCommand {
  readonly text: string
  readonly words: readonly Argument[]
  readonly assignments: readonly string[]
  readonly findings: Findings
  readonly redirected: Redirected | undefined
}

/** Walks a simple command: assignments, words and redirections; then whatever its program does. */
function walkSimpleCommand(walk: Walk, scope: Scope, node: Command): Outcome {
  const findings = new Findings()
  const words: Argument[] = []
  if (node.name) for (const word of resolveWord(walk, scope, node.name)) words.push(word)
  let declared: Map<string, Argument | null> | undefined
  for (const item of node.suffix) {
    if (item.type === "Word") for (const word of resolveWord(walk, scope, item)) words.push(word)
    else if (item.type === "Assignment") {
      const { name, value } = readAssignment(walk, scope, item, findings)
      declared = (declared ?? new Map()).set(name, value)
      words.push(value ? literal(`${name}=${value.text}`) : unknown(item.text, "no option"))
    }
  }
  const assigned: { name: string; value: Argument | null }[] = []
  const assignments: string[] = []
  for (const item of node.prefix) {
    if (item.type !== "Assignment") continue
    assigned.push(readAssignment(walk, scope, item, findings))
    assignments.push(item.text)
  }
  const redirected = node.redirects.length > 0 ? readRedirections(walk, scope, node.redirects, findings) : undefined
  const text = scope.source.slice(node.pos, node.end)
  const command: PreparedCommand = { text, words, assignments, findings, redirected }
  if (words.length > 0) return runWords(walk, scope, command, declared)
  for (const { name, value } of assigned) scope.variables.set(name, value)
  finishPart(walk, scope, command)
  return { success: scope.places, failure: scope.places }
}

/** Whether a command surely ends the shell, so that nothing after it runs. */
function endsShell(scope: Scope, node: AndOr | PipelineNode): boolean {
  if (node.type === "Command") return isExit(node) && !scope.functions.has("exit")
  if (node.type !== "BraceGroup") return false
  const last = node.body.commands.at(-1)
  return last !== undefined && !last.background && endsShell(scope, last.command)
}

/** With other words, or when a redirection fails, `exit` may only print something. */
function isExit({ name, prefix, suffix, redirects }: Command): boolean {
  if (name?.text !== "exit" || prefix.length > 0 || redirects.length > 0) return false
  return suffix.length < 2 && suffix.every((word) => word.type === "Word" && /^(?:\d+|\$\?)$/.test(word.text))
}
