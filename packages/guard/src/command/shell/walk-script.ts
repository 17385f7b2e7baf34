import type { AndOr, CommandNode, Pipeline, PipelineNode, Script, Statement } from "unbash"
import { mergeMaybe, type Place, type Scope, subshell, unite } from "./scope.js"
import type { Walk } from "./walk.js"
import { walkCompound } from "./walk-compound.js"
import { endsShell, walkSimpleCommand } from "./walk-simple-command.js"

/** The folders after a command, when it succeeded and when it failed. */
export interface Outcome {
  readonly success: readonly Place[]
  readonly failure: readonly Place[]
}

/** Walks a parsed text: every simple command in it becomes a part. */
export function walkScript(
  walk: Walk,
  scope: Scope,
  script: Script & { readonly errors?: readonly unknown[] | undefined },
): void {
  if (script.errors && script.errors.length > 0) walk.trouble ??= "its text could not be read to the end"
  walkStatements(walk, scope, script.commands)
}

/** Walks statements one after the other. */
export function walkStatements(walk: Walk, scope: Scope, statements: readonly Statement[]): void {
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
export function walkCommand(walk: Walk, scope: Scope, node: CommandNode): Outcome {
  if (node.type === "Command") return walkSimpleCommand(walk, scope, node)
  walkCompound(walk, scope, node)
  return { success: scope.places, failure: scope.places }
}
