import type { Assignment } from "unbash"
import type { Argument, Findings } from "../program/findings.js"
import { resolveSingle, resolveWord } from "./resolve-word.js"
import { isDangerousVariable } from "./variable-value.js"
import type { Scope, Walk } from "./walk.js"

/** An assignment with its value, where that is known. */
export interface ReadAssignment {
  readonly name: string
  readonly value: Argument | null
}

/** Reads an assignment: substitutions in it become parts, a variable that steers programs makes the command opaque. */
export function readAssignment(walk: Walk, scope: Scope, node: Assignment, findings: Findings): ReadAssignment {
  const { name, value, index, append } = node
  if (isDangerousVariable(name)) findings.runsCode(`the variable ${name} decides what programs do`)
  if (index) {
    resolveWord(walk, scope, index)
    if (!/^\d+$/.test(index.text)) findings.steered(`bash evaluates the subscript "${index.text}"`)
  }
  if (value.type === "ArrayValue") {
    for (const element of value.elements) resolveWord(walk, scope, element)
    return { name, value: null }
  }
  const resolved = resolveSingle(walk, scope, value)
  // A tilde behind a colon is expanded in an assignment only, and braces everywhere else.
  const inBraces = value.parts?.some(({ type }) => type === "BraceExpansion")
  const known = resolved.kind === "literal" && !append && !index && !inBraces && !value.text.includes(":~")
  return { name, value: known ? resolved : null }
}

/** The same for a word that reads `name=value`, as `env` and `export "name=value"` have it. */
export function readAssignmentText(text: string, findings: Findings): ReadAssignment | undefined {
  const found = /^([A-Za-z_]\w*)(?:\+?=([\s\S]*))?$/.exec(text)
  if (!found) return undefined
  const [, name, value] = found
  if (isDangerousVariable(name!)) findings.runsCode(`the variable ${name} decides what programs do`)
  return { name: name!, value: value === undefined || text.includes("+=") ? null : { kind: "literal", text: value } }
}
