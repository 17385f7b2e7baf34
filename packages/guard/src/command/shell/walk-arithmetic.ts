import type { ArithmeticExpression } from "unbash"
import { isDangerousVariable, variableValue } from "./variable-value.js"
import { type Scope, subshell, takeStep, type Walk } from "./walk.js"

/**
 * Arithmetic evaluates the content of variables again: `x='a[$(rm y)]'; echo $((x))` runs rm. So names are accepted
 * only where the line shows that they hold numbers.
 */
export function walkArithmetic(
  walk: Walk,
  scope: Scope,
  expression: ArithmeticExpression | undefined,
  text: string,
): void {
  if (expression === undefined) {
    if (/[^\s()$]/.test(text)) walk.trouble ??= `"${text}" could not be read`
    return
  }
  switch (expression.type) {
    case "ArithmeticBinary":
      walkArithmetic(walk, scope, expression.left, text)
      walkArithmetic(walk, scope, expression.right, text)
      return
    case "ArithmeticUnary":
      walkArithmetic(walk, scope, expression.operand, text)
      return
    case "ArithmeticTernary":
      walkArithmetic(walk, scope, expression.test, text)
      walkArithmetic(walk, scope, expression.consequent, text)
      walkArithmetic(walk, scope, expression.alternate, text)
      return
    case "ArithmeticGroup":
      walkArithmetic(walk, scope, expression.expression, text)
      return
    case "ArithmeticCommandExpansion":
      if (expression.script === undefined) walk.trouble ??= `"${expression.text}" could not be read`
      else {
        const inner = subshell(scope, { source: expression.script.source ?? scope.source })
        walk.visit.script(walk, inner, expression.script)
      }
      walk.trouble ??= `bash evaluates the output of "${expression.text}"`
      return
    case "ArithmeticWord":
      takeStep(walk)
      walk.visit.parts(walk, scope, expression.parts)
      if (!isNumeric(walk, scope, expression.value)) walk.trouble ??= `bash evaluates what "${expression.value}" holds`
  }
}

/** Whether a word of an arithmetic expression is a number or a variable that can hold nothing else. */
export function isNumeric(walk: Walk, scope: Scope, text: string): boolean {
  if (/^(?:0[xX][\da-fA-F]+|\d+(?:#\w+)?)$/.test(text)) return true
  const name = /^\$?(?:\{(\w+|[?#!$])\}|(\w+|[?#!$]))$/.exec(text)
  const bare = name?.[1] ?? name?.[2]
  if (bare === undefined || scope.poisoned) return false
  if (/^[?#!$]$/.test(bare)) return true
  // `((PATH=1))` sets it to a number, which is the name of a folder then.
  if (isDangerousVariable(bare)) return false
  const value = variableValue(walk, scope, bare)
  if (value !== undefined) return value.kind === "literal" && /^-?\d+$/.test(value.text)
  return holdsNumbersOnly(scope.whole, bare)
}

/** Every assignment of the name in the text gives it a number, and nothing in the text can set it otherwise. */
function holdsNumbersOnly(text: string, name: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name) || settersOfVariables.test(text)) return false
  const values = [...text.matchAll(new RegExp(`(?<![\\w$])${name}\\+?=(?!=)([^\\s;&|)]*)`, "g"))]
  return values.length > 0 && values.every(([, value]) => /^(?:\d+$|\$\(\()/.test(value!))
}

const settersOfVariables =
  /\b(?:read|mapfile|readarray|getopts|select|for\s+\w+|declare|typeset|local|export|readonly|eval|source|let|printf|unset|trap)\b/
