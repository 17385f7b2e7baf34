import { type Action, type PlacedRule, ToolError } from "@haft/contract"
import type { Variables } from "../variables.js"
import { type CompiledRule, comparePrecedence, compiledRule } from "./book/compiled-rule.js"
import { PathTable } from "./book/path-table.js"
import type { PermissionRules, RuleBook } from "./book/rule-book.js"
import { isShipped } from "./defaults/rule-group.js"
import { describeSource, formatRule } from "./format-rule.js"
import { isUniversal } from "./pattern/number.js"
import { type Pattern, parsePattern, type SubjectKind } from "./pattern/pattern.js"
import { problemOf } from "./pattern/pattern-problem.js"
import { likelyKind, permissionKind } from "./permission-kind.js"

/** Compiles rules once for all calls of a session. A pattern that cannot be used throws and names the rule and its place. */
export function compileRules(rules: readonly PlacedRule[], variables: Variables): RuleBook {
  const named = new Map<string, (readonly CompiledRule[] | PlacedRule)[]>()
  const anywhere: CompiledRule[] = []
  const everything: CompiledRule[] = []
  for (const rule of rules) {
    if (rule.permission !== "*") addTo(named, rule.permission, compileUnlessShipped(rule, variables))
    else if (isUniversal(rule.pattern)) everything.push(compiledRule(rule, undefined))
    else anywhere.push(...compileRule(rule, variables))
  }
  everything.sort(comparePrecedence)
  const universal = (action: Action) => everything.filter(({ placed }) => placed.action === action)
  const forAnyPermission = permissionRules(anywhere)
  const ready = new Map<string, PermissionRules>()
  return {
    rules,
    variables,
    rulesFor(permission) {
      const known = ready.get(permission)
      if (known) return known
      const own = named.get(permission)
      if (!own) return forAnyPermission
      const compiled = own.flatMap((rule) => ("source" in rule ? compileRule(rule, variables) : rule))
      const built = permissionRules([...compiled, ...anywhere])
      ready.set(permission, built)
      return built
    },
    fallbacks: [...universal("ask"), ...universal("allow")],
    universalDenies: universal("deny"),
  }
}

/** The defaults are known to be sound and most calls need few of them, so they wait until their permission is asked for. */
function compileUnlessShipped(rule: PlacedRule, variables: Variables): readonly CompiledRule[] | PlacedRule {
  return isShipped(rule) ? rule : compileRule(rule, variables)
}

/** Compiles one rule for every kind of subject that its pattern makes sense for. */
export function compileRule(rule: PlacedRule, variables: Variables): readonly CompiledRule[] {
  const { permission, pattern } = rule
  if (pattern === undefined || isUniversal(pattern)) return [compiledRule(rule, undefined)]
  const expected = likelyKind(permission, pattern)
  const others = permissionKind(permission) ? [] : subjectKinds.filter((kind) => kind !== expected)
  const parsed = [
    parseExpected(rule, pattern, expected, variables),
    ...others.map((kind) => tryParse(pattern, kind, variables)),
  ]
  return parsed.filter((each) => each !== undefined).map((each) => compiledRule(rule, each))
}

const subjectKinds: readonly SubjectKind[] = ["path", "host", "command", "arguments"]

function permissionRules(rules: readonly CompiledRule[]): PermissionRules {
  const paths = rules.filter((rule) => rule.pattern === undefined || rule.pattern.kind === "path")
  return {
    strictPaths: new PathTable(
      paths.filter((rule) => rule.strict),
      { folded: true },
    ),
    allowPaths: new PathTable(
      paths.filter((rule) => !rule.strict),
      { folded: false },
    ),
    others: rules.filter((rule) => rule.pattern?.kind !== "path"),
  }
}

function parseExpected(rule: PlacedRule, pattern: string, kind: SubjectKind, variables: Variables): Pattern {
  try {
    return parsePattern(pattern, kind, variables)
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    const name = `${rule.action} ${formatRule(rule)}`
    throw new ToolError(
      "invalid_args",
      `Cannot use the rule "${name}" (${describeSource(rule.source)}): ${problem.reason}; ${problem.fix}`,
      { details: { rule, ...problem }, cause: error },
    )
  }
}

/** The subject of a tool is not known here, so a pattern may be meant for another kind; where it makes no sense it matches nothing. */
function tryParse(pattern: string, kind: SubjectKind, variables: Variables): Pattern | undefined {
  try {
    return parsePattern(pattern, kind, variables)
  } catch (error) {
    if (problemOf(error)) return undefined
    throw error
  }
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
