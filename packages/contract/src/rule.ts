/** What a rule says about a matching request. */
export type Action = "allow" | "deny" | "ask"

/** A rule as people write it. `permission` is a tool id, a capability such as fs.write, or `*`. */
export interface Rule {
  readonly permission: string
  /** Absent, `*` and `**` are universal. */
  readonly pattern?: string
  readonly action: Action
  /** The reason, shown when the rule decides. */
  readonly why?: string
  /** Samples that the rule must match; checked by `haft rule test`. */
  readonly match?: readonly string[]
  /** Samples that the rule must not match. */
  readonly no_match?: readonly string[]
}

/** Where rules come from, weakest first. */
export const ruleScopes = ["defaults", "project", "local", "user", "session", "flag", "manifest", "managed"] as const

/** One of the places that rules come from. */
export type RuleScope = (typeof ruleScopes)[number]

/** Authority of a scope: a milder rule needs at least this much to set aside a deny. */
export const authorities: Readonly<Record<RuleScope, number>> = {
  defaults: 0,
  project: 1,
  local: 2,
  user: 3,
  session: 4,
  flag: 5,
  manifest: 6,
  managed: 7,
}

/** Which file and line a rule was written in. */
export interface RuleSource {
  readonly scope: RuleScope
  readonly file?: string
  readonly line?: number
}

/** A rule with its place; the unit that guard evaluates. */
export interface PlacedRule extends Rule {
  readonly source: RuleSource
  /** Authority other than that of the scope (default secret rules count as `user`). */
  readonly authority?: number
  /** Always applies: no other rule sets it aside, and no mode converts it. */
  readonly final?: boolean
  /** Applies only to files that git does not track. */
  readonly untrackedOnly?: boolean
  /** The rule protects a secret: file history keeps no copy of what it names. */
  readonly secret?: boolean
  /** A saved answer and no rule that somebody wrote: it never settles more than a question can have been about. */
  readonly answer?: boolean
  /** A saved answer for a command that runs a script: it holds while the script has this digest. Stored under this name. */
  readonly recipe?: string
  /** The beginning of that text, shown beside the new one when the question comes again. */
  readonly shown?: string
}

/** A rule with the text that it holds for, where it holds for one only. */
export type BoundRule = Rule & Pick<PlacedRule, "recipe" | "shown">

/** Whether two rules say the same: reasons and samples explain a rule, and do not change what it decides. */
export function isSameRule(one: BoundRule, other: BoundRule): boolean {
  return (
    one.permission === other.permission &&
    one.action === other.action &&
    one.recipe === other.recipe &&
    (one.pattern === other.pattern || (isUniversal(one) && isUniversal(other)))
  )
}

// Packages of one repository have scripts of the same name, and each may be changed now and then.
const maxTexts = 8

/** The kept answers that give way to one for the same command with another text: those for no text, and the oldest of too many. */
export function outdatedAnswers<Kept extends BoundRule>(kept: readonly Kept[], added: BoundRule): readonly Kept[] {
  if (added.recipe === undefined) return []
  const alike = kept.filter((rule) => isSameRule({ ...rule, recipe: added.recipe! }, added))
  const bound = alike.filter(({ recipe }) => recipe !== undefined)
  const unbound = alike.filter(({ recipe }) => recipe === undefined)
  return [...unbound, ...bound.slice(0, Math.max(0, bound.length + 1 - maxTexts))]
}

function isUniversal({ pattern = "*" }: Rule): boolean {
  return pattern === "*" || pattern === "**"
}

/** How a session treats what no rule settles. */
export type Mode = "ask" | "plan" | "accept-edits" | "auto"
