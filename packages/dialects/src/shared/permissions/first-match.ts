import type { Action, Rule } from "@haft/contract"
import { type CompiledRule, compileRule, ruleInside, type Variables } from "@haft/guard"
import { atLeastAsStrict } from "./strictness.js"
import { type ForeignSubject, type Matcher, type Translation, unsayable } from "./translate/matcher.js"
import { translate } from "./translate/translate.js"

/** One line of a foreign list in which the first match decides. */
export interface ForeignRule {
  /** As its system writes it, for notes. */
  readonly text: string
  readonly action: Action
  readonly matcher: Matcher
  readonly subject: ForeignSubject
  /** The matcher is only a part of the condition, so that it covers more than was meant. */
  readonly partial?: true
}

/** Rules of ours for one tool, and what they could not say. */
export interface Arranged {
  readonly rules: readonly Rule[]
  readonly notes: readonly string[]
  /** The rules with the line of the list that each comes from, and whether it says exactly that. */
  readonly lines: readonly { readonly rule: Rule; readonly exact: boolean; readonly from: ForeignRule }[]
}

/**
 * A list in which the first match decides, as rules whose order has no influence. A rule that never gets its turn is
 * left out; so no milder rule remains inside an earlier, stricter one, and the verdict is never looser than the list's.
 */
export function firstMatch(permission: string, list: readonly ForeignRule[]): Arranged {
  const notes: string[] = []
  const kept: Line[] = []
  for (const [index, rule] of list.entries()) {
    const deniesLater = list.slice(index + 1).some(({ action }) => action === "deny")
    for (const line of linesOf(permission, rule, { deniesLater, notes }))
      if (!kept.some((earlier) => hides(earlier, line))) kept.push(line)
  }
  notes.push(...overlapNotes(kept), ...unreadableNotes(permission, kept))
  const lines = kept.map(({ rule, exact, from }) => ({ rule, exact, from }))
  return { rules: kept.map(({ rule }) => rule), notes, lines }
}

/** A rule of ours made from a line of the list. */
interface Line {
  readonly rule: Rule
  readonly compiled: readonly CompiledRule[]
  readonly exact: boolean
  readonly text: string
  readonly from: ForeignRule
}

interface Surroundings {
  readonly deniesLater: boolean
  readonly notes: string[]
}

function linesOf(permission: string, foreign: ForeignRule, { deniesLater, notes }: Surroundings): readonly Line[] {
  const strict = foreign.action !== "allow"
  const { patterns, exact } = said(permission, foreign, strict)
  // An ask that covers more than was meant would lift a deny that follows; a deny in its place is on the safe side.
  const action = foreign.action === "ask" && !exact && deniesLater ? "deny" : foreign.action
  const words = patterns === "every" ? "every call" : patterns.map((pattern) => `${permission}(${pattern})`).join(", ")
  if (!exact && !strict && patterns.length === 0)
    notes.push(`${foreign.text}: left out, no rule says exactly this; such calls ask or are decided by other rules`)
  else if (!exact && strict) notes.push(`${foreign.text}: became ${action} for ${words}, which is more than it named`)
  else if (!exact) notes.push(`${foreign.text}: became ${action} for ${words}, which is less than it named`)
  if (patterns === "every") return [line({ permission, action }, exact, foreign)]
  return patterns.map((pattern) => line({ permission, pattern, action }, exact, foreign))
}

/** The translation, or what is left of it when our rules would not take one of its patterns. */
function said(permission: string, { subject, matcher, action, partial }: ForeignRule, strict: boolean): Translation {
  if (partial && !strict) return unsayable(strict)
  const { patterns, exact } = translate(subject, matcher, strict)
  if (patterns === "every") return { patterns, exact: exact && !partial }
  const kind = subject === "url" ? "host" : subject
  const readable = patterns.every((pattern) => isReadable({ permission, pattern, action }, kind))
  return readable ? { patterns, exact: exact && !partial } : unsayable(strict)
}

function isReadable(rule: Rule, kind: string): boolean {
  try {
    return compiled(rule).some(({ pattern }) => pattern?.kind === kind)
  } catch {
    return false
  }
}

function line(rule: Rule, exact: boolean, from: ForeignRule): Line {
  return { rule, compiled: compiled(rule), exact, text: from.text, from }
}

/** Whether the later line never gets its turn. What covers more than was meant hides only what is milder. */
function hides(earlier: Line, later: Line): boolean {
  return covers(earlier, later) && (earlier.exact || atLeastAsStrict(earlier.rule.action, later.rule.action))
}

function covers(outer: Line, inner: Line): boolean {
  if (outer.rule.pattern === undefined || outer.rule.pattern === inner.rule.pattern) return true
  return inner.compiled.some((rule) => outer.compiled.some((other) => ruleInside(rule, other)))
}

/** Where a milder rule comes first and a stricter one overlaps it, ours takes the stricter. */
function overlapNotes(kept: readonly Line[]): readonly string[] {
  return kept.flatMap((later, index) =>
    kept
      .slice(0, index)
      .filter((earlier) => earlier.rule.pattern !== undefined && later.rule.pattern !== undefined)
      .filter((earlier) => !atLeastAsStrict(earlier.rule.action, later.rule.action) && !covers(later, earlier))
      .filter((earlier) => mayMeet(earlier, later))
      .map(({ text }) => `${text} and ${later.text}: a call that both match gets the stricter ${later.rule.action}`),
  )
}

/** What is too long for our parser has no words that a pattern could be compared with. */
function unreadableNotes(permission: string, kept: readonly Line[]): readonly string[] {
  const allowed = kept.some(({ rule }) => rule.pattern === undefined && rule.action === "allow")
  const strict = kept.some(({ rule, compiled }) => rule.action !== "allow" && compiled[0]?.pattern?.kind === "command")
  return allowed && strict
    ? [`${permission}: a command that is too long to be read has no words, so no pattern stops it`]
    : []
}

/** In doubt yes, but two patterns that begin with different fixed parts have nothing in common. */
function mayMeet(one: Line, other: Line): boolean {
  const [left, right] = [fixed(one), fixed(other)]
  return left.startsWith(right) || right.startsWith(left)
}

function fixed({ rule }: Line): string {
  const { pattern = "" } = rule
  return pattern.slice(0, Math.max(0, pattern.search(/[*?]|$/))).trimEnd()
}

function compiled(rule: Rule): readonly CompiledRule[] {
  return compileRule({ ...rule, source: { scope: "user" } }, places)
}

// Only to compare patterns with each other: where the folders are makes no difference.
const places: Variables = {
  workspace: ["/workspace"],
  adHoc: [],
  userData: undefined,
  home: "/home/user",
  haftHome: "/home/user/.haft",
  haftConfig: "/home/user/.haft-config",
  scratch: [],
  sidecars: [],
  tmp: [],
}
