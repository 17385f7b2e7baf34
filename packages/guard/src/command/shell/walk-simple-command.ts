import type { AndOr, Command, PipelineNode } from "unbash"
import { type Argument, literal, unknown } from "../argument.js"
import { Findings } from "../program/findings.js"
import { finishPart } from "./finish-part.js"
import { readAssignment } from "./read-assignment.js"
import { type Redirected, readRedirections } from "./read-redirections.js"
import { resolveWord } from "./resolve-word.js"
import { runWords } from "./run-words.js"
import type { Scope } from "./scope.js"
import type { Walk } from "./walk.js"
import type { Outcome } from "./walk-script.js"

/** A command whose words are known as far as they can be. */
export interface PreparedCommand {
  readonly text: string
  readonly words: readonly Argument[]
  readonly assignments: readonly string[]
  readonly findings: Findings
  readonly redirected: Redirected | undefined
}

/** Walks a simple command: assignments, words and redirections; then whatever its program does. */
export function walkSimpleCommand(walk: Walk, scope: Scope, node: Command): Outcome {
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
  const redirected = readRedirections(walk, scope, node.redirects, findings)
  const text = scope.source.slice(node.pos, node.end)
  const command: PreparedCommand = { text, words, assignments, findings, redirected }
  if (words.length > 0) return runWords(walk, scope, command, declared)
  for (const { name, value } of assigned) scope.variables.set(name, value)
  finishPart(walk, scope, command)
  return { success: scope.places, failure: scope.places }
}

/** Whether a command surely ends the shell, so that nothing after it runs. */
export function endsShell(scope: Scope, node: AndOr | PipelineNode): boolean {
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
