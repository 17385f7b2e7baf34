import type { PlacedRule, Rule } from "./rule.js"

/** The steps of a decision in the order in which they are taken. */
export const rungNames = [
  "schema",
  "capability",
  "manifest",
  "rules",
  "watchdog",
  "hooks",
  "mode",
  "person",
  "sandbox",
] as const

/** One step of a decision. */
export type RungName = (typeof rungNames)[number]

/** The outcome of one step. `pass` means that the step had no objection. */
export type RungVerdict = "pass" | "allow" | "deny" | "ask" | "skipped"

/** What one step of a decision found. */
export interface Rung {
  readonly rung: RungName
  readonly verdict: RungVerdict
  readonly reason: string
  /** The rule that decided, as `permission(pattern)`. */
  readonly rule?: string
  /** Where that rule is: scope, file and line. */
  readonly source?: string
  readonly ms: number
}

/** How one head or effect of a call was decided. */
export interface Finding {
  /** The permission that was asked for, for instance `fs.write`. */
  readonly permission: string
  /** The subject in words: a path, a host, a command. */
  readonly subject: string
  readonly verdict: "allow" | "deny" | "ask" | "silent"
  readonly decided?: DecidingRule
  /** Matching rules that lost, each with the reason. */
  readonly beaten: readonly BeatenRule[]
}

/** The rule behind a finding with the numbers that made it win. */
export interface DecidingRule {
  readonly rule: PlacedRule
  readonly text: string
  readonly specificity: number
  readonly authority: number
  readonly source: string
  readonly final: boolean
}

/** A matching rule that did not decide. */
export interface BeatenRule {
  readonly text: string
  readonly specificity: number
  readonly authority: number
  readonly source: string
  readonly because: string
}

/** The verdict of the rules for a whole call. */
export interface Judgement {
  readonly verdict: "allow" | "deny" | "ask"
  readonly reason: string
  /** The rule that decided; absent when nothing settled the call. */
  readonly decided?: DecidingRule
  /** True when the ask is written in a rule, rather than left over because no rule settled the call. */
  readonly written: boolean
  /** True when only a person may answer, once, and no mode may convert the ask. */
  readonly final: boolean
  readonly findings: readonly Finding[]
  /** The shortest rule that would turn the verdict into allow, where there is one. */
  readonly remedy?: Rule
  /** The rules that would do so together, where one is not enough. */
  readonly remedies?: readonly Rule[]
}

/** The whole decision about one call: what explain prints, the approval shows and the journal keeps. */
export interface Ladder {
  readonly verdict: "allow" | "deny" | "ask"
  readonly reason: string
  readonly rungs: readonly Rung[]
  readonly findings: readonly Finding[]
  readonly remedy?: Rule
  /** The flags that would allow the call, ready to paste. */
  readonly flag?: string
}
