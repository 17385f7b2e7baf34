import type { Action, Rule } from "@haft/contract"
import { arrangeTools } from "../shared/permissions/arrange-tools.js"
import type { ForeignRule } from "../shared/permissions/first-match.js"
import type { ForeignNames, ForeignPolicy } from "../shared/permissions/foreign-policy.js"
import { lobeBlacklist } from "./blacklist.js"
import { type LobeMatcher, lobeArgument, lobeMatcher, lobeSubject } from "./permission-matcher.js"

/** The approval modes of LobeHub. */
export const lobeApprovalModes = ["manual", "auto-run", "allow-list", "headless"] as const
/** One of the approval modes of LobeHub. */
export type LobeApprovalMode = (typeof lobeApprovalModes)[number]

/** Whether a person is asked: never, unless it runs by itself, or even then. */
export type LobePolicy = "never" | "required" | "always"

/** A condition on arguments with what follows from it; without `match` it holds for every call. */
export interface LobeRule {
  readonly match?: Readonly<Record<string, LobeMatcher>>
  readonly policy: LobePolicy
}

/** What is never run without a question, and never at all headless. */
export interface LobeBlacklistRule {
  readonly description?: string
  readonly match: Readonly<Record<string, LobeMatcher>>
}

/** What a LobeHub user and the packages have configured. */
export interface LobeSettings {
  readonly approvalMode: LobeApprovalMode
  /** Entries `identifier/apiName`. */
  readonly allowList?: readonly string[]
  /** By `identifier/apiName` or `identifier____apiName`; an API that is not there has `never`, as LobeHub's packages do. */
  readonly policies?: Readonly<Record<string, LobePolicy | readonly LobeRule[]>>
  /** LobeHub's own list by default. */
  readonly blacklist?: "default" | readonly LobeBlacklistRule[]
}

/** LobeHub's human intervention: the blacklist, then the approval mode, then the policy of the API. */
export function compileLobe(settings: LobeSettings, names: ForeignNames): ForeignPolicy {
  const { approvalMode, blacklist = "default" } = settings
  // LobeHub skips such a call in silence when nobody is there; a refusal says so.
  const refused: Action = approvalMode === "headless" ? "deny" : "ask"
  const own = typeof blacklist === "string" ? [] : blacklist
  const listOf = (name: string): readonly ForeignRule[] => [
    ...own.flatMap((rule) => blacklisted(rule, name, refused)),
    ...byMode(settings, name),
  ]
  const policy = arrangeTools({ names, listOf, otherwise: approvalMode === "headless" ? "allow" : "ask" })
  if (typeof blacklist !== "string") return policy
  const rules: readonly Rule[] = lobeBlacklist.map((rule) => ({ ...rule, action: refused }))
  return { ...policy, rules: [...policy.rules, ...rules] }
}

/** A blacklist rule is compared with the arguments of every call; a call without the argument is not meant. */
function blacklisted({ match, description }: LobeBlacklistRule, name: string, action: Action): readonly ForeignRule[] {
  const conditions = Object.entries(match)
  const own = conditions.find(([parameter]) => parameter === lobeArgument(name)?.name)
  if (own === undefined) return []
  const subject = lobeSubject(own[0])
  const text = `blacklist ${description ?? JSON.stringify(match)}`
  // All conditions must hold, and a rule has one subject: its own condition alone covers more.
  const partial = conditions.length > 1 ? ({ partial: true } as const) : {}
  return lobeMatcher(own[1]).map((matcher) => ({ text, action, matcher, subject, ...partial }))
}

function byMode(settings: LobeSettings, name: string): readonly ForeignRule[] {
  const { approvalMode, allowList = [] } = settings
  if (approvalMode === "headless") return [everyCall("mode headless", "allow")]
  const listed = allowList.some((entry) => wireName(entry) === wireName(name))
  const decide = (policy: LobePolicy): Action => {
    if (policy === "always") return "ask"
    if (approvalMode === "auto-run") return "allow"
    if (approvalMode === "allow-list") return listed ? "allow" : "ask"
    return policy === "never" ? "allow" : "ask"
  }
  return policyRules(policyOf(settings, name)).flatMap((rule) => ruleLines(rule, name, decide(rule.policy)))
}

/** The first rule that matches wins; when none does, a person is asked. */
function policyRules(policy: LobePolicy | readonly LobeRule[]): readonly LobeRule[] {
  return typeof policy === "string" ? [{ policy }] : [...policy, { policy: "required" }]
}

function ruleLines({ match = {}, policy }: LobeRule, api: string, action: Action): readonly ForeignRule[] {
  const conditions = Object.entries(match)
  const text = `policy ${policy}${conditions.length === 0 ? "" : ` for ${JSON.stringify(match)}`}`
  if (conditions.length === 0) return [everyCall(text, action)]
  const { name: own, optional } = lobeArgument(api) ?? {}
  const [parameter, matcher] = conditions.find(([each]) => each === own) ?? conditions[0]!
  const subject = parameter === own ? lobeSubject(parameter) : "other"
  // A call may lack the argument, and two conditions at once are more than one pattern can say.
  const partial = conditions.length > 1 || subject === "other" || optional ? ({ partial: true } as const) : {}
  return lobeMatcher(matcher).map((each) => ({ text, action, matcher: each, subject, ...partial }))
}

function policyOf({ policies = {} }: LobeSettings, name: string): LobePolicy | readonly LobeRule[] {
  const found = Object.entries(policies).find(([key]) => wireName(key) === wireName(name))
  return found?.[1] ?? "never"
}

function wireName(name: string): string {
  return name.replace("/", "____")
}

function everyCall(text: string, action: Action): ForeignRule {
  return { text, action, matcher: { how: "any" }, subject: "other" }
}
