import { isInside, type PlacedRule, type Rule, type Subject, ToolError } from "@haft/contract"
import { partsOf } from "../path.js"
import type { Variables } from "../variables.js"
import { type Answered, type Evaluation, type EvaluationRequest, evaluate } from "./evaluate.js"
import { hasWildcard } from "./pattern/glob.js"
import { isOwnNetwork, joinWords, subjectWords } from "./rule.js"
import { compileRule, type RuleBook } from "./rule-book.js"

// More rules than that are no way out that a person would read.
const mostRules = 4

/**
 * The narrowest rules that, given as flags, turn the verdict into allow; found by trying. One where one is enough: a command
 * that asks for itself and for its host takes two.
 */
export function findRemedies(book: RuleBook, request: EvaluationRequest, evaluation: Evaluation): readonly Rule[] {
  const rules: Rule[] = []
  for (let left = evaluation; rules.length < mostRules; ) {
    const possible = candidates(book, left).filter(
      (rule) => evaluateWith(book, request, [...rules, rule]) !== undefined,
    )
    const settling = possible.find((rule) => evaluateWith(book, request, [...rules, rule])?.verdict === "allow")
    const next = settling ?? possible.find((rule) => !rules.some((known) => isSameRule(known, rule)))
    if (next === undefined) return []
    rules.push(next)
    if (settling) return rules
    left = evaluateWith(book, request, rules)!
  }
  return []
}

function evaluateWith(book: RuleBook, request: EvaluationRequest, rules: readonly Rule[]): Evaluation | undefined {
  const placed = rules.map((rule): PlacedRule => ({ ...rule, source: { scope: "flag" } }))
  try {
    return evaluate(book, { ...request, extra: placed.flatMap((rule) => compileRule(rule, book.variables)) })
  } catch (error) {
    // The name of a file can be one that no pattern is able to spell.
    if (ToolError.is(error)) return undefined
    throw error
  }
}

function isSameRule(one: Rule, other: Rule): boolean {
  return one.permission === other.permission && one.pattern === other.pattern
}

/**
 * Rules about the effect first, since they hold for every tool; then rules about the tool itself. One rule must settle every
 * part, so those about the first that is open are enough: a line of hundreds of commands would take seconds otherwise.
 */
function candidates(book: RuleBook, { parts }: Evaluation): readonly Rule[] {
  const unsettled = parts.filter(({ verdict }) => verdict !== "allow")
  const open = unsettled.flatMap(({ answers, fallback }) =>
    // A `deny *` is not passed by what weaker rules allow, so a stronger rule about the same may be the way.
    fallback?.placed.action === "deny" ? answers : answers.filter((answer) => answer.verdict !== "allow"),
  )
  const objections = open.filter((answer) => answer.verdict !== "silent")
  const effects = (objections.length > 0 ? objections : open).filter((answer) => answer.role === "effect")
  // Also heads that a rule with a wildcard allows: what it does not give, one for exactly this command does.
  const heads = unsettled[0]?.answers.filter((answer) => answer.role === "head") ?? []
  return [...effectRules(book, effects), ...heads.flatMap((head) => ruleFor(book, head))]
}

function effectRules(book: RuleBook, effects: readonly Answered[]): readonly Rule[] {
  const [first] = effects
  if (!first) return []
  // A download writes a file and asks a host: the other permission gets its rule in the next round.
  const alike = effects.filter((effect) => effect.permission === first.permission)
  const paths = alike.flatMap(({ subject }) => (subject.kind === "path" ? [subject.at.resolved] : []))
  const folder = new Set(paths).size > 1 ? commonFolder(paths) : undefined
  if (folder === undefined) return ruleFor(book, first)
  const pattern = folderText(folder, book.variables)
  return pattern === undefined ? [] : [{ permission: first.permission, pattern, action: "allow" }]
}

function ruleFor(book: RuleBook, { permission, subject }: Answered): readonly Rule[] {
  if (subject.kind === "arguments") return [{ permission, action: "allow" }]
  const pattern = exactPattern(book, subject)
  return pattern === undefined ? [] : [{ permission, pattern, action: "allow" }]
}

function exactPattern(book: RuleBook, subject: Exclude<Subject, { kind: "arguments" }>): string | undefined {
  switch (subject.kind) {
    case "path":
      return pathText(subject.at.resolved, book.variables)
    case "host":
      // Of such a host each port is something else, and is granted by itself.
      return isOwnNetwork(subject.host) ? subjectWords(subject) : subject.host
    case "command":
      return subject.argv.length === 0 ? undefined : joinWords(subject.argv)
  }
}

/** A path as a rule would name exactly it; undefined when its own name reads as a wildcard. */
function pathText(path: string, variables: Variables): string | undefined {
  if (hasWildcard(path)) return undefined
  const [root, ...more] = variables.workspace
  // With several roots a relative pattern would hold below each of them.
  if (root === undefined || more.length > 0 || path === root || !isInside(path, root)) return path
  const relative = path.slice(root === "/" ? 1 : root.length + 1)
  return /^[~{!@]/.test(relative) ? path : relative
}

/** A pattern for all that is in a folder; undefined for the top of a workspace, which would say too much. */
function folderText(folder: string, variables: Variables): string | undefined {
  if (folder === "/" || variables.workspace.includes(folder)) return undefined
  const text = pathText(folder, variables)
  return text === undefined ? undefined : `${text}/**`
}

/** The deepest folder that holds all of the paths. */
function commonFolder(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => partsOf(path).slice(0, -1))
  const differs = first.findIndex((part, index) => rest.some((other) => other[index] !== part))
  return `/${(differs < 0 ? first : first.slice(0, differs)).join("/")}`
}
