import { authorities, type DecidingRule, type PlacedRule } from "@haft/contract"
import { describeSource, formatRule } from "../format-rule.js"
import { type Pattern, patternInside } from "../pattern/pattern.js"

/** A rule made ready for one kind of subject. */
export interface CompiledRule {
  readonly placed: PlacedRule
  /** Undefined when the rule is universal. */
  readonly pattern: Pattern | undefined
  readonly text: string
  readonly number: number
  readonly authority: number
  /** Deny and ask compare strictly: the spelled and the resolved path, folded. */
  readonly strict: boolean
  /** No other rule sets it aside. */
  readonly alwaysStands: boolean
  /** What findings and judgements show when this rule decides. */
  readonly deciding: DecidingRule
  /** The reason of a call that this rule allows; worded once, since most calls are allowed. */
  readonly allowance: string
}

/** Puts a placed rule and its compiled pattern together. */
export function compiledRule(placed: PlacedRule, pattern: Pattern | undefined): CompiledRule {
  const { action, source } = placed
  const strict = action !== "allow"
  const text = formatRule(placed)
  const number = pattern?.number ?? 0
  const authority = placed.authority ?? authorities[source.scope]
  const immutable = placed.final === true || source.scope === "managed" || source.scope === "manifest"
  const alwaysStands = strict && immutable
  const deciding = {
    rule: placed,
    text,
    specificity: number,
    authority,
    source: describeSource(source),
    final: alwaysStands,
  }
  const allowance = `${text} (${deciding.source}) allows it`
  return { placed, pattern, text, number, authority, strict, alwaysStands, deciding, allowance }
}

/** Whether the inner rule lies inside the outer, so that it may set it aside. */
export function ruleInside(inner: CompiledRule, outer: CompiledRule): boolean {
  const { permission } = outer.placed
  // A rule about everything is never a special case of a rule about one thing.
  if (permission !== "*" && permission !== inner.placed.permission) return false
  if (inner.pattern === undefined || inner.number <= outer.number) return false
  return outer.pattern === undefined || patternInside(inner.pattern, outer.pattern)
}

/** Which of two rules with the same verdict is named first; the same for every order of the rules. */
export function comparePrecedence(left: CompiledRule, right: CompiledRule): number {
  return (
    Number(right.alwaysStands) - Number(left.alwaysStands) ||
    right.number - left.number ||
    right.authority - left.authority ||
    compareText(left.text, right.text) ||
    compareText(left.deciding.source, right.deciding.source) ||
    compareText(left.placed.action, right.placed.action) ||
    Number(left.placed.untrackedOnly ?? false) - Number(right.placed.untrackedOnly ?? false)
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
