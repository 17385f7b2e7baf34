import type { Action, Rule, RuleSource } from "../rule.js"

/** `GET /api/rules`: the rules that hold here, strongest source first. */
export interface ApiRules {
  readonly rules: readonly ApiRule[]
  /** Where a rule can be saved. */
  readonly scopes: readonly { readonly scope: ApiRuleScope; readonly file: string }[]
}

/** A rule with where it was written and how strong it is. */
export interface ApiRule extends Rule {
  /** As `permission(pattern)`. */
  readonly text: string
  readonly source: RuleSource
  /** The source in words, with file and line. */
  readonly where: string
  readonly specificity: number
  readonly authority: number
  readonly final?: true
  readonly secret?: true
  /** Why it does not hold, for a rule of a folder that is not trusted. */
  readonly ignored?: string
}

/** The files that rules can be saved in: the user's own, or the answers for this folder, outside of it. */
export type ApiRuleScope = "user" | "answers"

/** `POST /api/rules/try`: what recorded calls would become with a draft. Nothing runs and nothing is saved. */
export interface ApiRuleTry {
  readonly add: readonly Rule[]
  /** Rules of `GET /api/rules` that the draft leaves out, as `action permission(pattern)`. */
  readonly remove?: readonly string[]
  readonly scope?: ApiRuleScope
  /** How many of the newest calls; 200 by default. */
  readonly calls?: number
}

/** What would change. */
export interface ApiRuleTried {
  readonly tried: number
  /** Calls that cannot be judged any more: their tool or file is gone. */
  readonly unjudged: number
  /** Counts by `before->after`, such as `ask->allow`. */
  readonly counts: Readonly<Record<string, number>>
  readonly changes: readonly {
    readonly session: string
    readonly callId: string
    readonly tool: string
    readonly arguments: unknown
    readonly before: Action
    readonly after: Action
    readonly reason: string
  }[]
}

/** `POST /api/rules/test`: every rule against its own samples. */
export interface ApiRuleTests {
  readonly passed: number
  readonly failed: readonly {
    readonly text: string
    readonly where: string
    readonly sample: string
    readonly expected: "match" | "no_match"
  }[]
}

/** `POST /api/rules`: saves a rule; it holds at once in sessions that are open. */
export interface ApiRuleSave {
  readonly rule: Rule
  readonly scope: ApiRuleScope
}

/** Where it was saved. */
export interface ApiRuleSaved {
  readonly file: string
  readonly line: number
  /** False when it was there already. */
  readonly added: boolean
}
