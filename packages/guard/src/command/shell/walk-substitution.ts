import type { CommandExpansionPart, ParameterExpansionPart, ParsedScript, ProcessSubstitutionPart, Word } from "unbash"
import { type Argument, unknown } from "../program/findings.js"
import { placeValue, variableValue } from "./variable-value.js"
import { type Scope, subshell, type Walk } from "./walk.js"

/** The commands of a substitution become parts of their own. Its output is known only for `$(pwd)`. */
export function walkSubstitution(
  walk: Walk,
  scope: Scope,
  part: CommandExpansionPart | ProcessSubstitutionPart,
): Argument | undefined {
  const { script } = part
  if (script === undefined) {
    walk.trouble ??= `"${part.text}" could not be read`
    return undefined
  }
  const inner = subshell(scope, {
    source: script.source ?? scope.source,
    pipeline: undefined,
    substituted: readings(scope, part.text),
  })
  walk.visit.script(walk, inner, script)
  return part.type === "CommandExpansion" && isPwd(script) && !scope.functions.has("pwd")
    ? placeValue(scope)
    : undefined
}

/** Of `"$(echo $((a) b))"` bash tries the inner one as arithmetic first, and takes `$'...'` apart while it does. */
function readings({ substituted }: Scope, text: string): Scope["substituted"] {
  if (substituted === "twice") return "twice"
  return substituted === "once" && /^[$<>]\(\(/.test(text) ? "twice" : "once"
}

/** `${name}` has the value of the variable; everything else that braces can do is walked for substitutions only. */
export function walkParameter(walk: Walk, scope: Scope, part: ParameterExpansionPart): Argument | undefined {
  const { operation, index, prefix, parameter } = part
  if (operation === undefined && index === undefined && prefix !== "!") {
    return prefix === undefined ? variableValue(walk, scope, parameter) : unknown(part.text, "no option")
  }
  for (const word of wordsOf(part)) walk.visit.word(walk, scope, word)
  if (index && !/^(?:\d+|[@*])$/.test(index.text)) walk.trouble ??= `bash evaluates the subscript "${index.text}"`
  if (operation?.type === "Slice" && !isNumber(operation.offset, operation.length)) {
    walk.trouble ??= `bash evaluates "${part.text}"`
  }
  // ${!x} takes the value for a name, subscript and all; ${x@P} expands its value like a prompt, which may hold commands.
  if (operation?.type === "Transform" || operation?.type === "Unknown" || prefix === "!") {
    walk.trouble ??= `bash evaluates "${part.text}"`
  }
  return undefined
}

function isNumber(...words: readonly (Word | undefined)[]): boolean {
  return words.every((word) => word === undefined || /^ ?-?\d+$/.test(word.text))
}

function wordsOf({ operation, index }: ParameterExpansionPart): readonly Word[] {
  const words: (Word | undefined)[] = [index]
  switch (operation?.type) {
    case "Default":
    case "Remove":
    case "Transform":
    case "CaseModification":
      words.push(operation.operand)
      break
    case "Replace":
      words.push(operation.pattern, operation.replacement)
      break
    case "Slice":
      words.push(operation.offset, operation.length)
      break
  }
  return words.filter((word) => word !== undefined)
}

function isPwd({ commands: [first, ...more] }: ParsedScript): boolean {
  const command = first?.command
  if (more.length > 0 || command?.type !== "Command") return false
  return command.name?.text === "pwd" && command.suffix.length === 0 && command.prefix.length === 0
}
