import { type Action, type PlacedRule, type Subject, ToolError } from "@haft/contract"
import { runsKeptText } from "../command/script/script-of.js"
import type { Variables } from "../variables.js"
import { isShipped } from "./defaults/rule-group.js"
import { DeniedPaths } from "./denied-paths.js"
import { PathTable } from "./path-table.js"
import { isUniversal } from "./pattern/number.js"
import { matchesSubject, type Pattern, parsePattern, type SubjectKind } from "./pattern/pattern.js"
import { problemOf } from "./pattern/pattern-problem.js"
import { likelyKind, permissionKind } from "./permission-kind.js"
import { type CompiledRule, comparePrecedence, compiledRule, describeSource, formatRule } from "./rule.js"

/** The rules that can answer for one permission. */
export interface PermissionRules {
  readonly strictPaths: PathTable
  readonly allowPaths: PathTable
  readonly deniedPaths: DeniedPaths
  /** Rules about hosts, commands and arguments, and the universal ones. */
  readonly others: readonly CompiledRule[]
}

/** Compiled, immutable rules of one moment. */
export interface RuleBook {
  readonly rules: readonly PlacedRule[]
  readonly variables: Variables
  /** The rules of that name and the `*` rules with a pattern. */
  rulesFor(permission: string): PermissionRules
  /** The asks and allows of `*` without a pattern: what happens to a call that nothing settles. Asks first. */
  readonly fallbacks: readonly CompiledRule[]
  /** The denies of `*` without a pattern: a call passes them only by rules that are strong enough. */
  readonly universalDenies: readonly CompiledRule[]
}

/** The rules that match one head or effect. */
export function matchingRules(
  book: RuleBook,
  permission: string,
  subject: Subject,
  facts: Facts,
): readonly CompiledRule[] {
  const rules = book.rulesFor(permission)
  if (subject.kind === "path") return matchingPathRules(rules, subject.at, facts)
  return rules.others.filter((rule) => matchesRule(rule, subject, facts))
}

/** The rules that match a path; the part of the way that search results take too. */
export function matchingPathRules(
  rules: PermissionRules,
  at: { readonly absolute: string; readonly resolved: string },
  facts: Facts,
): readonly CompiledRule[] {
  const matched: CompiledRule[] = []
  const split = at.resolved.lastIndexOf("/")
  const folder = at.resolved.slice(0, split)
  const entry = at.resolved.slice(split + 1)
  rules.strictPaths.collect(folder, entry, matched)
  if (at.absolute !== at.resolved) {
    const spelled = at.absolute.lastIndexOf("/")
    rules.strictPaths.collect(at.absolute.slice(0, spelled), at.absolute.slice(spelled + 1), matched)
  }
  rules.allowPaths.collect(folder, entry, matched)
  for (let index = 0; index < matched.length; index++) {
    const { placed } = matched[index]!
    if (placed.untrackedOnly === true || placed.recipe !== undefined)
      return matched.filter((rule) => applies(rule, at, facts))
  }
  return matched
}

/** Whether one rule matches a subject of its kind. */
export function matchesRule(rule: CompiledRule, subject: Subject, facts: Facts): boolean {
  if (rule.pattern !== undefined && !matchesSubject(rule.pattern, subject, rule.strict)) return false
  if (subject.kind === "path") return applies(rule, subject.at, facts)
  const { recipe, answer, action } = rule.placed
  // A saved answer for a command that runs text kept in a file holds only while that text is the same.
  if (recipe !== undefined)
    return subject.kind === "command" && facts.scriptDigest?.(subject.argv, subject.directory) === recipe
  return answer !== true || action !== "allow" || isAsAsked(rule, subject)
}

/**
 * Whether an answer without a text or a method can be about this. Former versions kept `net.fetch(x.test)` of a page, and
 * `bash(sh x.sh)` whatever was in the file: the one is taken for reading, the other for nothing.
 */
function isAsAsked({ placed, pattern }: CompiledRule, subject: Exclude<Subject, { kind: "path" }>): boolean {
  if (subject.kind === "command") return !runsKeptText(subject.argv)
  if (subject.kind !== "host" || placed.permission !== "net.fetch") return true
  return (pattern?.kind === "host" && pattern.method !== undefined) || subject.method === "GET"
}

function applies(rule: CompiledRule, at: { readonly resolved: string }, facts: Facts): boolean {
  if (rule.placed.recipe !== undefined) return false
  return rule.placed.untrackedOnly !== true || !facts.isTracked(at.resolved)
}

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
    deniedPaths: new DeniedPaths(paths),
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

/** What rules must know about the world; asked only when a rule depends on it. */
export interface Facts {
  /** Whether git tracks the file. */
  isTracked(path: string): boolean
  /** Digest of the text that a command such as `npm test` runs in a folder; undefined when it runs none, or no folder is known. */
  scriptDigest?(argv: readonly string[], directory?: string): string | undefined
}

/** The number of a rule: 100 for each step from universal to exact, and how many of its parts have no wildcard. */
export function specificity(rule: PlacedRule, variables: Variables): number {
  // The first is the kind that the pattern was most likely written for.
  return compileRule(rule, variables)[0]!.number
}
