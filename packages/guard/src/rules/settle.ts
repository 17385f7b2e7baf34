import { type CompiledRule, comparePrecedence, ruleInside } from "./book/compiled-rule.js"

/** The answer of the matching rules for one head or effect. */
export interface Settled {
  readonly verdict: "allow" | "deny" | "ask" | "silent"
  readonly decided: CompiledRule | undefined
  readonly matched: readonly CompiledRule[]
}

/** Deny if a deny stands, else ask if an ask stands, else allow if an allow matches, else silent. */
export function settle(matched: readonly CompiledRule[]): Settled {
  if (matched.length === 0) return silent
  const decided = strongest(matched, "deny") ?? strongest(matched, "ask") ?? strongest(matched, "allow")
  return { verdict: decided?.placed.action ?? "silent", decided, matched }
}

/** A milder matching rule that lies inside and, against a deny, has at least the same authority. */
export function setAsideBy(rule: CompiledRule, matched: readonly CompiledRule[]): CompiledRule | undefined {
  if (rule.alwaysStands) return undefined
  return matched.find((other) => isMilder(other, rule) && hasAuthority(other, rule) && ruleInside(other, rule))
}

const silent: Settled = { verdict: "silent", decided: undefined, matched: [] }

function strongest(matched: readonly CompiledRule[], action: "allow" | "deny" | "ask"): CompiledRule | undefined {
  let best: CompiledRule | undefined
  for (const rule of matched) {
    if (rule.placed.action !== action) continue
    if (rule.strict && setAsideBy(rule, matched)) continue
    if (best === undefined || comparePrecedence(rule, best) < 0) best = rule
  }
  return best
}

function isMilder(milder: CompiledRule, rule: CompiledRule): boolean {
  if (milder === rule) return false
  return rule.placed.action === "deny" ? milder.placed.action !== "deny" : milder.placed.action === "allow"
}

function hasAuthority(milder: CompiledRule, rule: CompiledRule): boolean {
  return rule.placed.action !== "deny" || milder.authority >= rule.authority
}
