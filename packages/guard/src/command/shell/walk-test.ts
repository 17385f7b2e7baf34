import type { TestCommand, TestExpression, Word } from "unbash"
import { Findings } from "../program/findings.js"
import { finishPart } from "./finish-part.js"
import { resolveSingle } from "./resolve-word.js"
import type { Scope } from "./scope.js"
import type { Walk } from "./walk.js"
import { isNumeric } from "./walk-arithmetic.js"

/** `[[ ... ]]` changes nothing, unless a comparison of numbers or a name makes bash evaluate a text. */
export function walkTest(walk: Walk, scope: Scope, node: TestCommand): void {
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
