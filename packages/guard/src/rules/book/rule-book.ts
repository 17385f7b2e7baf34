import type { PlacedRule, Subject } from "@haft/contract"
import { runsKeptText } from "../../command/recipe/recipe-of.js"
import type { Variables } from "../../variables.js"
import type { Facts } from "../facts.js"
import { matchesSubject } from "../pattern/pattern.js"
import type { CompiledRule } from "./compiled-rule.js"
import type { PathTable } from "./path-table.js"

/** The rules that can answer for one permission. */
export interface PermissionRules {
  readonly strictPaths: PathTable
  readonly allowPaths: PathTable
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
    return subject.kind === "command" && facts.recipeOf?.(subject.argv, subject.directory) === recipe
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
