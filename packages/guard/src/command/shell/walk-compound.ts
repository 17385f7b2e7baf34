import type {
  Case,
  CommandNode,
  CompoundList,
  For,
  Redirected,
  Select,
  Statement,
  TestCommand,
  TestExpression,
  Word,
} from "unbash"
import { type Argument, Findings } from "../program/findings.js"
import { readRedirections } from "./read-redirections.js"
import { resolveSingle, resolveWord } from "./resolve-word.js"
import { finishPart } from "./run-words.js"
import { setByShell } from "./variable-value.js"
import { mergeMaybe, type Scope, subshell, takeStep, type Walk } from "./walk.js"
import { isNumeric, walkArithmetic } from "./walk-arithmetic.js"

type Compound = Exclude<CommandNode, { type: "Command" }>

/** Walks groups, conditions, loops and functions: whatever may run counts as if it ran. */
export function walkCompound(walk: Walk, scope: Scope, node: Compound | CompoundList): void {
  switch (node.type) {
    case "CompoundList":
      walk.visit.statements(walk, scope, node.commands)
      return
    case "BraceGroup":
      walk.visit.statements(walk, scope, node.body.commands)
      return
    case "Subshell":
      walk.visit.statements(walk, subshell(scope), node.body.commands)
      return
    case "If":
      walk.visit.statements(walk, scope, node.clause.commands)
      for (const branch of [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else]) {
        if (branch) walkMaybe(walk, scope, branch.commands)
      }
      return
    case "While":
      walkLoop(walk, scope, [...node.clause.commands, ...node.body.commands])
      return
    case "For":
    case "Select":
      walkFor(walk, scope, node)
      return
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) if (part) walkArithmetic(walk, scope, part, "for")
      walkLoop(walk, scope, node.body.commands)
      return
    case "Case":
      walkCase(walk, scope, node)
      return
    case "TestCommand":
      walkTest(walk, scope, node)
      return
    case "ArithmeticCommand":
      walkArithmetic(walk, scope, node.expression, node.body)
      return
    case "Redirected":
      walkRedirected(walk, scope, node)
      return
    case "Function":
      addFunction(scope, node.name.value, node.body)
      return
    case "Coproc":
      if (node.name) setByShell(walk, node.name.value)
      if (node.body.type === "Command") walk.visit.command(walk, subshell(scope), node.body)
      else walkCompound(walk, subshell(scope), node.body)
  }
}

function addFunction(scope: Scope, name: string, body: Extract<Compound, { type: "Function" }>["body"]): void {
  const known = scope.functions.get(name) ?? []
  scope.functions.set(name, [...known, { body, source: scope.source, called: false }])
  scope.certain.add(name)
}

function walkMaybe(walk: Walk, scope: Scope, statements: readonly Statement[], changes: Partial<Scope> = {}): void {
  takeStep(walk)
  const inner = subshell(scope, changes)
  walk.visit.statements(walk, inner, statements)
  mergeMaybe(scope, inner)
}

/** The second round starts where the first one ended; a folder that changed in between cannot be known. */
function walkLoop(walk: Walk, scope: Scope, statements: readonly Statement[]): void {
  const before = scope.places
  const probe = walk.parts.length
  walkMaybe(walk, scope, statements)
  if (scope.places === before) return
  walk.parts.length = probe
  walkMaybe(walk, scope, statements, { places: [before[0] ?? null, null] })
}

/** A short list of known words is gone through word by word; otherwise the variable is unknown. */
function walkFor(walk: Walk, scope: Scope, node: For | Select): void {
  const name = node.name.value
  setByShell(walk, name)
  const words = node.wordlist?.flatMap((word) => resolveWord(walk, scope, word))
  const values = node.type === "For" && words && words.length <= maxRounds && words.every(isKnown) ? words : [null]
  for (const value of values) {
    scope.variables.set(name, value)
    walkLoop(walk, scope, node.body.commands)
  }
  scope.variables.set(name, null)
}

const maxRounds = 12

function isKnown(word: Argument): boolean {
  return word.kind === "literal" || word.kind === "names"
}

function walkCase(walk: Walk, scope: Scope, { word, items }: Case): void {
  resolveSingle(walk, scope, word)
  for (const { pattern, body } of items) {
    for (const each of pattern as readonly Word[]) resolveWord(walk, scope, each)
    walkMaybe(walk, scope, body.commands)
  }
}

/** The redirections of a group are a part of their own, in front of what the group does. */
function walkRedirected(walk: Walk, scope: Scope, { command, redirects, end }: Redirected): void {
  const findings = new Findings()
  const redirected = readRedirections(walk, scope, redirects, findings)
  const text = scope.source.slice(redirects[0]?.pos ?? command.end, end)
  finishPart(walk, scope, { text, words: [], assignments: [], findings, redirected })
  walkCompound(walk, scope, command)
}

/** `[[ ... ]]` changes nothing, unless a comparison of numbers or a name makes bash evaluate a text. */
function walkTest(walk: Walk, scope: Scope, node: TestCommand): void {
  const findings = new Findings()
  walkExpression(walk, scope, node.expression, findings)
  const text = scope.source.slice(node.pos, node.end)
  finishPart(walk, scope, { text, words: [], assignments: [], findings, redirected: undefined })
}

function walkExpression(walk: Walk, scope: Scope, expression: TestExpression, findings: Findings): void {
  switch (expression.type) {
    case "TestUnary":
      resolveSingle(walk, scope, expression.operand)
      if ((expression.operator === "-v" || expression.operator === "-R") && !/^\w+$/.test(expression.operand.text)) {
        findings.steered(`bash evaluates the name "${expression.operand.text}"`)
      }
      return
    case "TestBinary":
      resolveSingle(walk, scope, expression.left)
      resolveSingle(walk, scope, expression.right)
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) {
        for (const word of [expression.left, expression.right]) checkNumber(walk, scope, word, findings)
      }
      return
    case "TestLogical":
      for (const operand of expression.operands) walkExpression(walk, scope, operand, findings)
      return
    case "TestNot":
      walkExpression(walk, scope, expression.operand, findings)
      return
    case "TestGroup":
      walkExpression(walk, scope, expression.expression, findings)
      return
  }
}

function checkNumber(walk: Walk, scope: Scope, word: Word, findings: Findings): void {
  const text = word.text.replace(/^"(.*)"$/, "$1")
  if (!isNumeric(walk, scope, text.replace(/^-(?=\d)/, "")))
    findings.steered(`bash evaluates what "${word.text}" holds`)
}
